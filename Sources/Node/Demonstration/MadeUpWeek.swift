import Actions
import Foundation
import History
import NeuralNet
import Records
import Workouts

/// A week of a gym that does not exist, for people who look at Spotter before they have seen anything with it.
///
/// The same seed and the same end give the same week. It is written as a node would write what it sees, so that all
/// sums agree.
public struct MadeUpWeek: Sendable {
    /// The days that are made up; the last one ends with the week.
    public static let days = 7
    /// The camera that delivered no pictures for a while, and on which day of the week.
    private static let outage = (camera: "cables", day: 3, hour: 17, minutes: 85.0)

    /// The visits and the workouts, in order of time.
    let stays: [Stay]
    let workouts: [Workout]
    /// When a camera was away.
    let absence: (camera: String, time: DateInterval)
    /// The first moment.
    let start: Date
    /// The end.
    let end: Date
    let seed: UInt64
    let timeZone: TimeZone

    /// Makes up a week.
    ///
    /// - Parameters:
    ///   - end: its last moment, such as now.
    ///   - timeZone: the zone in which the gym opens and closes.
    ///   - rules: what good form is.
    public init(seed: UInt64, end: Date, timeZone: TimeZone, rules: FormRules) {
        // Everything is stored to the millisecond.
        let end = Timestamp.date(milliseconds: Timestamp.milliseconds(end))
        let calendar = Calendar.gregorian(in: timeZone)
        let days = (0..<Self.days).compactMap { day in
            calendar.date(byAdding: .day, value: day - Self.days + 1, to: calendar.startOfDay(for: end))
        }
        (self.seed, self.end, self.timeZone) = (seed, end, timeZone)
        start = days[0]
        let away = Self.absence(on: days[Self.outage.day], calendar)
        absence = away
        let made = Self.workouts(days, calendar, rules, seed: seed).filter { workout in
            workout.stay.end <= end
                && !(workout.stay.camera == away.camera && workout.stay.end > away.time.start
                    && workout.stay.start < away.time.end)
        }
        workouts = made.map(\.workout)
        let booked = made.map(\.stay)
        var stays = booked
        for (number, day) in days.enumerated() {
            let today = booked.filter { calendar.isDate($0.start, inSameDayAs: day) }
            let random = RandomSource(seed: seed, path: 1, UInt64(number))
            stays += Visits(of: day, calendar, booked: today, random).stays.compactMap { stay in
                Self.seen(stay, away)?.until(end, .stopped)
            }
        }
        self.stays = stays.filter { !$0.sets.isEmpty }.sorted { ($0.start, $0.camera) < ($1.start, $1.camera) }
    }

    private static func absence(on day: Date, _ calendar: Calendar) -> (camera: String, time: DateInterval) {
        let start = Visits.moment(outage.hour, 12, of: day, calendar) ?? day
        return (outage.camera, DateInterval(start: start, duration: outage.minutes * 60))
    }

    /// What was seen of a stay although its camera was away for a while.
    private static func seen(_ stay: Stay, _ absence: (camera: String, time: DateInterval)) -> Stay? {
        guard stay.camera == absence.camera, stay.start < absence.time.end else { return stay }
        return stay.until(absence.time.start, .cameraLost)
    }

    private static func workouts(
        _ days: [Date], _ calendar: Calendar, _ rules: FormRules, seed: UInt64
    ) -> [MadeUpWorkout] {
        Member.all.enumerated().flatMap { place, member in
            member.days.enumerated().compactMap { before, number in
                let isWeekend = calendar.isDateInWeekend(days[number])
                let hour = isWeekend ? member.hours.weekend : member.hours.usual
                var random = RandomSource(seed: seed, path: 2, UInt64(place), UInt64(number))
                let minute = random.number(in: 5...50)
                return Visits.moment(hour, minute, of: days[number], calendar).map {
                    MadeUpWorkout(of: member, before: before, start: $0, rules: rules, random)
                }
            }
        }.sorted { $0.workout.start < $1.workout.start }
    }
}
