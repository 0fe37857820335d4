import Foundation
import Records

/// A moment as people type it: a day such as `2026-11-21`, or a time ago such as `7d`.
package struct TypedMoment {
    private let text: String

    /// Takes what was typed; it is checked when it is used.
    package init(_ text: String) { self.text = text }

    /// The moment; `nil` if the text is invalid.
    ///
    /// - Parameter endOfDay: Whether a day stands for its end.
    package func date(in zone: TimeZone, endOfDay: Bool = false) -> Date? {
        if let ago = secondsAgo { return Date(timeIntervalSinceNow: -ago) }
        let calendar = Calendar.gregorian(in: zone)
        guard let day = calendar.date(ofDay: text) else { return nil }
        return endOfDay ? calendar.date(byAdding: .day, value: 1, to: day) : day
    }

    /// The day on which the moment falls, such as `2026-11-21`; `nil` if the text is invalid.
    package func day(in zone: TimeZone) -> String? {
        date(in: zone).map { Calendar.gregorian(in: zone).dayText(of: $0) }
    }

    private var secondsAgo: Double? {
        guard let match = text.wholeMatch(of: /(\d{1,6})([hdwy])/), let number = Double(match.1) else { return nil }
        let unit: [Substring: Double] = ["h": 3600, "d": 86_400, "w": 604_800, "y": 31_557_600]
        return unit[match.2].map { $0 * number }
    }
}
