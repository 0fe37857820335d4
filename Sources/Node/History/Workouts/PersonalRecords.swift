import Contract
import Foundation
import Records
import Workouts

/// What a person has reached in their workouts: volume, best sets and how regularly they come.
///
/// It is computed from the workouts of a name whenever somebody asks, and stored nowhere. Whoever deletes the name or the
/// workouts has deleted it.
public struct PersonalRecords: Sendable, Encodable {
    /// A best value, and when it was reached.
    public struct Best: Sendable, Equatable, Encodable {
        /// The value: kilograms or repetitions.
        public var value: Double
        /// The repetitions, load and exertion of the set; `nil` for those of a whole workout, or where nobody entered them.
        public var reps: Int?
        /// The load, kilograms.
        public var loadKg: Double?
        /// The perceived exertion, 1…10.
        public var rpe: Double?
        /// How far the value may be off; only of an estimate.
        public var uncertainty: Double?
        /// The day in the gym's time zone, `2026-11-21`.
        public var day: String
        /// The workout's id.
        public var workout: String

        enum CodingKeys: String, CodingKey {
            case value, reps, rpe, uncertainty, day, workout
            case loadKg = "load_kg"
        }
    }

    /// One exercise.
    public struct Exercise: Sendable, Equatable, Encodable {
        /// The exercise's label.
        public var action: String
        /// The sets, and those of them with a load.
        public var sets, loadedSets: Int
        /// The repetitions of all sets.
        public var reps: Int
        /// Repetitions times load over all sets with a load, kilograms.
        public var volumeKg: Double
        /// The most weight; `nil` without a load.
        public var heaviest: Best?
        /// The best estimate of the weight for one repetition; `nil` without a fitting set.
        public var maximum: Best?
        /// The most repetitions of a set; `nil` for an exercise that is held.
        public var mostReps: Best?
        /// The largest volume of a workout; `nil` without a load.
        public var largestVolume: Best?

        enum CodingKeys: String, CodingKey {
            case action, sets, reps, heaviest
            case loadedSets = "loaded_sets"
            case volumeKg = "volume_kg"
            case maximum = "e1rm"
            case mostReps = "most_reps"
            case largestVolume = "largest_volume"
        }
    }

    /// The name that was typed.
    public var name: String
    /// The workouts that have ended and in which something was done, and the days with one.
    public var workouts, days: Int
    /// Repetitions times load over all sets with a load, kilograms.
    public var volumeKg: Double
    /// The weeks and days in a row with a workout.
    public var streak: Streak
    /// The exercises, the one with the most sets first.
    public var exercises: [Exercise]

    enum CodingKeys: String, CodingKey {
        case name, workouts, days, streak, exercises
        case volumeKg = "volume_kg"
    }

    /// Sums up workouts.
    ///
    /// - Parameters:
    ///   - rows: all workouts of one name.
    ///   - efforts: what was entered for their steps, by the workout's id and the step's index.
    ///   - corrections: what people corrected of their sets, in the same way.
    ///   - zone: the gym's time zone, by which days change.
    init(
        _ rows: [WorkoutRow], efforts: [String: [Int: StepEffort]], corrections: [String: [Int: StepCorrection]],
        name: String, now: Date, zone: TimeZone
    ) {
        let calendar = Calendar.gregorian(in: zone)
        let sets = rows.filter { $0.body.endReason != nil }.sorted { $0.body.start < $1.body.start }.flatMap { row in
            let day = Timestamp.date(text: row.body.start).map(calendar.dayText) ?? ""
            return row.body.steps.enumerated().compactMap { index, step in
                PerformedSet(
                    step, efforts[row.id]?[index] ?? StepEffort(), corrections[row.id]?[index], day: day,
                    workout: row.id)
            }
        }
        self.name = name
        workouts = Set(sets.map(\.workout)).count
        let dates = Set(sets.map(\.day))
        days = dates.count
        volumeKg = sets.map(\.volume).reduce(0, +).rounded(decimals: 1)
        streak = Streak(dates, now: now, zone: zone)
        exercises = Dictionary(grouping: sets, by: \.action).map { Exercise($0.key, $0.value) }
            .sorted { ($1.sets, $0.action) < ($0.sets, $1.action) }
    }
}

/// A set of a named workout in which something was done.
private struct PerformedSet {
    let action: String
    let reps: Int
    let effort: StepEffort
    let day, workout: String

    init?(
        _ step: WorkoutBody.Step, _ effort: StepEffort, _ correction: StepCorrection?, day: String, workout: String
    ) {
        action = correction?.action ?? step.action
        reps = correction?.reps(of: step.reps) ?? step.reps
        // What was taken away leaves the time in which it was seen.
        let isTakenAway = action == SetCorrection.nothing || (step.reps > 0 && reps == 0)
        guard !isTakenAway, reps > 0 || step.seconds > 0 else { return nil }
        (self.effort, self.day, self.workout) = (effort, day, workout)
    }

    /// Kilograms.
    var volume: Double { Double(reps) * (effort.loadKg ?? 0) }

    func best(_ value: Double?, uncertainty: Double? = nil) -> PersonalRecords.Best? {
        value.map {
            PersonalRecords.Best(
                value: $0, reps: reps, loadKg: effort.loadKg, rpe: effort.rpe, uncertainty: uncertainty, day: day,
                workout: workout)
        }
    }

    var maximum: PersonalRecords.Best? {
        effort.loadKg.flatMap { MaximumEstimate(loadKg: $0, reps: reps, rpe: effort.rpe) }
            .flatMap { best($0.kilograms, uncertainty: $0.uncertainty) }
    }
}

extension PersonalRecords.Exercise {
    /// - Parameter performed: sets in order of time. Of equal values the first is the record.
    fileprivate init(_ action: String, _ performed: [PerformedSet]) {
        func first(_ bests: [PersonalRecords.Best?]) -> PersonalRecords.Best? {
            bests.compactMap { $0 }.reduce(nil) { found, next in
                found.map { $0.value >= next.value ? $0 : next } ?? next
            }
        }
        let workouts = performed.reduce(into: [[PerformedSet]]()) { groups, set in
            if groups.last?.first?.workout != set.workout { groups.append([]) }
            groups[groups.count - 1].append(set)
        }
        self.init(
            action: action, sets: performed.count, loadedSets: performed.count { $0.effort.loadKg != nil },
            reps: performed.reduce(0) { $0 + $1.reps },
            volumeKg: performed.map(\.volume).reduce(0, +).rounded(decimals: 1),
            heaviest: first(performed.map { $0.best($0.effort.loadKg) }), maximum: first(performed.map(\.maximum)),
            mostReps: first(performed.map { $0.best($0.reps > 0 ? Double($0.reps) : nil) }),
            largestVolume: first(
                workouts.map { sets in
                    let volume = sets.map(\.volume).reduce(0, +).rounded(decimals: 1)
                    guard volume > 0, let set = sets.first else { return nil }
                    return PersonalRecords.Best(value: volume, day: set.day, workout: set.workout)
                }))
    }
}
