import Foundation
import GRDB
import Records

/// How many people are usual at this hour: the median of the same hour of the same weekday in the weeks before.
public struct UsualOccupancy: Sendable, Equatable {
    /// The most weeks that count.
    public static let mostWeeks = 8
    /// How many weeks back they are looked for, because some were not watched.
    static let weeksBack = 26
    /// An hour of which less was watched, in seconds, says nothing.
    static let leastSeconds = 900.0

    /// The median of the hours' mean numbers of people.
    public var people: Double
    /// How many weeks it stands for, 1…8.
    public var weeks: Int

    /// A number of people for so many weeks.
    public init(people: Double, weeks: Int) { (self.people, self.weeks) = (people, weeks) }
}

extension HistoryQuery {
    /// How many people are usual at the hour of a moment; `nil` where no such hour was watched.
    ///
    /// - Parameter zone: whose hours and weekdays count.
    /// - Throws: ``HistoryError``.
    public func usual(at moment: Date, in zone: TimeZone) throws -> UsualOccupancy? {
        let calendar = Calendar.gregorian(in: zone)
        let (now, today) = (Timestamp.milliseconds(moment), calendar.startOfDay(for: moment))
        return try read { db in
            var values: [Double] = []
            for week in 1...UsualOccupancy.weeksBack where values.count < UsualOccupancy.mostWeeks {
                guard let day = calendar.date(byAdding: .day, value: -7 * week, to: today) else { continue }
                let filter = HistoryFilter(since: day, until: calendar.endOfDay(day))
                let slots = try OccupancySlots(filter, in: db)
                let hours = LocalHours(zone, from: Timestamp.milliseconds(day), to: now)
                let hour = hours.place(of: now).hour
                var totals = OccupancyTotals<Int>(slots)
                slots.each { start, seen in totals.add(seen, of: start, to: hours.place(of: start).hour) }
                guard let cell = totals.cells[hour], cell.watchedSeconds >= UsualOccupancy.leastSeconds,
                    let mean = cell.mean
                else { continue }
                values.append(mean)
            }
            guard let median = values.median else { return nil }
            return UsualOccupancy(people: median.rounded(decimals: 1), weeks: values.count)
        }
    }
}

extension [Double] {
    /// The middle value, or the mean of the two in the middle; `nil` of none.
    var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
