import Foundation
import Records

/// A time in which a camera delivered no pictures: `spotter history cameras --json`, and the `body` of an absence record.
public struct CameraAbsence: Sendable, Codable, Equatable {
    /// The camera's id.
    public var camera: String
    /// When the pictures ceased: RFC 3339, UTC.
    public var start: String
    /// When they came again: RFC 3339, UTC; `nil` while they are missing.
    public var end: String?
    /// Why: ``switchedOff``, or a word of `CaptureError.word`, such as `unplugged`.
    public var reason: String

    /// The reason of a camera that an operator switched off.
    public static let switchedOff = "switched_off"

    /// How much of it lies in a span of time, seconds. One that has not ended goes on until now.
    public func seconds(since: Date? = nil, until: Date? = nil, now: Date = Date()) -> Double {
        let start = Timestamp.date(text: start) ?? now
        let end = end.flatMap(Timestamp.date(text:)) ?? now
        return max(0, min(end, until ?? end).timeIntervalSince(max(start, since ?? start)))
    }

    /// An absence of these values.
    package init(camera: String, start: String, end: String?, reason: String) {
        (self.camera, self.start, self.end, self.reason) = (camera, start, end, reason)
    }

    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("camera", .required(.id)), ("start", .required(.moment)),
        ("end", .optional(.moment, "When pictures came again; missing while they are missing.")),
        ("reason", .required(.word, "`switched_off`, or why there are no pictures, such as `unplugged`.")),
    ])
}
