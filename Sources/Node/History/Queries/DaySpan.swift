import Foundation
import Records

/// A span of time by the node's days: whole ones, whose totals are stored, and a part of a day at either end.
struct DaySpan {
    /// Some time of one day.
    struct Part {
        let day: String
        let start: Date
        let end: Date
    }

    /// The first and the last whole day; `nil` where the span has no beginning or no end.
    private(set) var whole: (from: String?, through: String?)
    /// Whether there is any whole day.
    let hasWhole: Bool
    /// At most two, in order.
    private(set) var parts: [Part] = []

    /// - Parameters:
    ///   - since: the first moment; `nil` for no beginning.
    ///   - until: the moment after the last one; `nil` for no end.
    ///   - calendar: has the node's time zone.
    init(since: Date?, until: Date?, _ calendar: Calendar) {
        // No history has days outside of these moments, and the names of such days are not in order.
        let first = Timestamp.date(milliseconds: ImportCheck.moments.lowerBound)
        let last = Timestamp.date(milliseconds: ImportCheck.moments.upperBound)
        let since = since.flatMap { $0 <= first ? nil : $0 }
        let until = until.flatMap { $0 >= last ? nil : max($0, first) }
        if let since, let until, since >= until {
            (whole, hasWhole) = ((nil, nil), false)
            return
        }
        if let since {
            let (start, end) = (calendar.startOfDay(for: since), calendar.endOfDay(since))
            if start == since {
                whole.from = calendar.dayText(of: since)
            } else {
                parts.append(Part(day: calendar.dayText(of: since), start: since, end: min(end, until ?? end)))
                whole.from = calendar.dayText(of: end)
            }
        }
        if let until {
            let start = calendar.startOfDay(for: until)
            // The last whole day is the one before, whether or not the span ends with it.
            whole.through = calendar.dayText(of: start - 0.001)
            if until > start, parts.last?.end != until {
                parts.append(Part(day: calendar.dayText(of: until), start: max(start, since ?? start), end: until))
            }
        }
        hasWhole = zip([whole.from].compactMap { $0 }, [whole.through].compactMap { $0 }).allSatisfy { $0 <= $1 }
    }

    /// Rows of the tables of days.
    func condition(_ filter: HistoryFilter, labels: Bool) -> SQLCondition {
        var condition = SQLCondition()
        if !hasWhole { condition.add("0") }
        condition.add("day >= ?", whole.from)
        condition.add("day <= ?", whole.through)
        condition.add("camera = ?", filter.camera)
        if labels { condition.add("label = ?", filter.action) }
        return condition
    }
}

extension HistoryFilter {
    /// The span by the days of the node's own time zone.
    func span(_ zone: TimeZone?) -> DaySpan {
        DaySpan(since: since, until: until, .gregorian(in: zone ?? TimeZoneName.utc))
    }
}
