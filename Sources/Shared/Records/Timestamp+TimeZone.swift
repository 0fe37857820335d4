import Foundation
import Synchronization

extension Timestamp {
    /// `2026-11-21T19:03:22.114+01:00`: a moment with the offset of a time zone.
    public static func text(milliseconds: Int64, in zone: TimeZone) -> String {
        let seconds = ZoneOffset.seconds(of: zone, at: milliseconds)
        let minutes = abs(seconds) / 60
        let (hour, minute) = (minutes / 60, minutes % 60)
        return text(milliseconds: milliseconds + Int64(seconds) * 1000).dropLast() + (seconds < 0 ? "-" : "+")
            + (hour < 10 ? "0" : "") + String(hour) + (minute < 10 ? ":0" : ":") + String(minute)
    }

    /// A text of RFC 3339 with the offset of a time zone; any other text as it is.
    public static func text(_ text: String, in zone: TimeZone) -> String {
        milliseconds(text: text).map { self.text(milliseconds: $0, in: zone) } ?? text
    }
}

/// The offset of a time zone. Asking Foundation takes a microsecond, and a list asks for moments that lie close together.
private enum ZoneOffset {
    private struct Known {
        let zone: TimeZone
        let minute: Int64
        let seconds: Int
    }

    /// Offsets change at full minutes.
    private static let known = Mutex<[Known]>([])

    static func seconds(of zone: TimeZone, at milliseconds: Int64) -> Int {
        let minute = milliseconds / 60_000
        return known.withLock { known in
            if let found = known.first(where: { $0.minute == minute && $0.zone == zone }) { return found.seconds }
            let seconds = zone.secondsFromGMT(for: Timestamp.date(milliseconds: milliseconds))
            // A row has a beginning and an end.
            known.insert(Known(zone: zone, minute: minute, seconds: seconds), at: 0)
            if known.count > 4 { known.removeLast() }
            return seconds
        }
    }
}
