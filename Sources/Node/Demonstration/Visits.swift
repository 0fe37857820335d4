import Actions
import Foundation
import NeuralNet
import Records

/// The visits of one day: who comes when, where they train, and what they do.
struct Visits {
    /// Seconds between two sets. A longer rest would end the session.
    private static let rest: ClosedRange<Float> = 45...140
    /// The seconds of a usual visit.
    private static let usualSeconds: Float = 1900

    private let calendar: Calendar
    private let day: Date
    private var random: RandomSource
    private(set) var stays: [Stay] = []
    private var floor: Floor

    /// - Parameters:
    ///   - day: the first moment of the day.
    ///   - booked: stays that take place whatever else does.
    init(of day: Date, _ calendar: Calendar, booked: [Stay], _ random: RandomSource) {
        (self.day, self.calendar, self.random) = (day, calendar, random)
        floor = Floor()
        for stay in booked {
            floor.hold(
                Floor.index(camera: stay.camera, zone: stay.zone), DateInterval(start: stay.start, end: stay.end))
        }
        let weekday = calendar.component(.weekday, from: day)
        let hours = Gym.hours(weekday: weekday)
        guard let closing = Self.moment(hours.upperBound, 0, of: day, calendar) else { return }
        for hour in hours {
            // As many come as leave.
            let people = Gym.crowd(weekday: weekday, hour: hour) * 3600 / Self.usualSeconds
            for _ in 0..<Int(people * self.random.uniform(in: 0.75...1.25) + self.random.uniform()) {
                let (minute, seconds) = (self.random.number(in: 0...59), self.random.seconds(in: 0...59))
                guard let arrival = Self.moment(hour, minute, of: day, calendar) else { continue }
                visit(from: arrival + seconds, until: closing - 120)
            }
        }
    }

    /// A time of a day by the clock on the wall.
    static func moment(_ hour: Int, _ minute: Int, of day: Date, _ calendar: Calendar) -> Date? {
        hour == 24
            ? calendar.date(byAdding: .day, value: 1, to: day)
            : calendar.date(bySettingHour: hour, minute: minute, second: 0, of: day)
    }

    private mutating func visit(from arrival: Date, until closing: Date) {
        var (moment, last): (Date, Int?) = (arrival, nil)
        for _ in 0..<random.number(in: 3...5) where moment < closing - 300 {
            let (place, waiting) = floor.choose(at: moment, not: last, &random)
            moment = waiting?.end ?? moment
            var stay = self.stay(at: Gym.places[place], from: moment, until: closing)
            stay.waiting = waiting
            guard !stay.sets.isEmpty else { return }
            floor.hold(place, DateInterval(start: stay.start, end: stay.end))
            stays.append(stay)
            moment = stay.end + random.seconds(in: 30...150)
            last = place
        }
    }

    private mutating func stay(at place: Gym.Place, from start: Date, until closing: Date) -> Stay {
        var stay = Stay(camera: place.camera, zone: place.zone, start: start, end: start)
        var moment = start + random.seconds(in: 15...60)
        let movement = place.movements[random.index(below: place.movements.count)]
        let other = place.movements[random.index(below: place.movements.count)]
        let isTraining = movement.loadKg != nil
        let entersLoads = isTraining && random.chance(0.3)
        let load = movement.loadKg.map { (Double(random.uniform(in: $0)) / 2.5).rounded() * 2.5 }
        let isLong = movement.seconds.upperBound > 200 || (movement.repetitions?.upperBound ?? 0) > 50
        for number in 1...(isLong ? 1 : random.number(in: 3...4)) {
            // On the mats people often do something else next.
            let next = !isTraining && number.isMultiple(of: 2) ? other : movement
            let set = self.set(number, next, from: moment, zone: place.zone)
            guard set.end < closing else { break }
            stay.sets.append(set)
            if entersLoads { stay.efforts[number] = (load, random.chance(0.6) ? effort(number) : nil) }
            moment = set.end + random.seconds(in: Self.rest)
        }
        stay.end = (stay.sets.last?.end ?? start) + random.seconds(in: 15...50)
        stay.endReason = random.chance(0.6) ? .left : .idle
        return stay
    }

    /// The perceived exertion of a set: it grows from set to set.
    private mutating func effort(_ number: Int) -> Double {
        let effort = random.near(6.5 + 0.6 * Double(number), by: 0.7)
        return min(max((effort * 2).rounded() / 2, 5), 10)
    }

    private mutating func set(_ number: Int, _ movement: Movement, from start: Date, zone: String?) -> SessionSet {
        let repetitions = movement.repetitions.map { random.number(in: $0) }
        let one = random.seconds(in: movement.seconds)
        let seconds = (one * Double(repetitions ?? 1) * 1000).rounded() / 1000
        // In the made-up gym everybody changes sides where one can work alone.
        let left = Exercise.named(movement.label)?.hasSides == true ? repetitions.map { ($0 + 1) / 2 } : nil
        return SessionSet(
            number: number, label: movement.label, start: start, end: start + seconds, reps: repetitions ?? 0,
            form: repetitions == nil ? nil : min(98, max(35, Int(random.near(78, by: 12)))), zone: zone,
            confidence: min(0.99, random.near(0.9, by: 0.06)).rounded(decimals: 3),
            repsMargin: repetitions == nil ? nil : random.chance(0.75) ? 0 : 1, leftReps: left,
            rightReps: left.map { (repetitions ?? 0) - $0 })
    }
}
