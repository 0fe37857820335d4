import Foundation

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
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil, parts.count == 3,
            let day = calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2])),
            calendar.component(.day, from: day) == parts[2]
        else { return nil }
        return endOfDay ? calendar.date(byAdding: .day, value: 1, to: day) : day
    }

    /// The day on which the moment falls, such as `2026-11-21`; `nil` if the text is invalid.
    package func day(in zone: TimeZone) -> String? {
        guard let date = date(in: zone) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }

    private var secondsAgo: Double? {
        guard let match = text.wholeMatch(of: /(\d{1,6})([hdwy])/), let number = Double(match.1) else { return nil }
        let unit: [Substring: Double] = ["h": 3600, "d": 86_400, "w": 604_800, "y": 31_557_600]
        return unit[match.2].map { $0 * number }
    }
}
