import Foundation
import Records

/// Finds the hour and the day of moments in a time zone without asking a calendar for each of them. Hours that a clock
/// change repeats have the same number; hours that it leaves out have no moment.
struct LocalHours {
    /// A moment by the clock on the wall.
    struct Place: Hashable {
        /// Days since 1970-01-01.
        let day: Int64
        /// 0…23.
        let hour: Int
        /// 1 is Monday, 7 is Sunday.
        var weekday: Int { Int(((day + 3) % 7 + 7) % 7) + 1 }
    }

    /// From when on which offset from UTC holds, milliseconds.
    private var offsets: [(from: Int64, offset: Int64)] = []

    /// - Parameters:
    ///   - zone: the time zone.
    ///   - first: the first moment that is asked for, milliseconds since 1970.
    ///   - last: the last one.
    init(_ zone: TimeZone, from first: Int64, to last: Int64) {
        func offset(_ date: Date) -> Int64 { Int64(zone.secondsFromGMT(for: date)) * 1000 }
        var moment = Timestamp.date(milliseconds: first)
        let end = Timestamp.date(milliseconds: last)
        offsets = [(.min, offset(moment))]
        while let change = zone.nextDaylightSavingTimeTransition(after: moment), change > moment, change <= end {
            offsets.append((Timestamp.milliseconds(change), offset(change)))
            moment = change
        }
    }

    /// The hour that holds a moment, milliseconds since 1970.
    func place(of milliseconds: Int64) -> Place {
        let offset = offsets.last { $0.from <= milliseconds }?.offset ?? 0
        let local = milliseconds + offset
        let day = local >= 0 ? local / 86_400_000 : (local - 86_399_999) / 86_400_000
        return Place(day: day, hour: Int((local - day * 86_400_000) / 3_600_000))
    }
}
