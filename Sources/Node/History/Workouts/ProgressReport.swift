import Contract
import Foundation
import Records
import Workouts

/// How a person's workouts went over some weeks: how often, how far, how fast, and with what pain.
public struct ProgressReport: Sendable, Encodable {
    /// One workout's step, for a line through time.
    public struct Point: Sendable, Encodable {
        /// The day in the gym's time zone, `2026-11-21`.
        public var day: String
        /// The workout's id.
        public var workout: String
        /// The repetitions, and how many were planned; `nil` for another kind of step.
        public var reps: Int
        /// The planned repetitions; `nil` for another kind of step.
        public var plannedReps: Int?
        /// What was measured; `nil` when nothing was.
        public var measured: StepForm?
        /// The pain that was stated, 0…10; `nil` for no answer.
        public var pain: Int?
        /// Whether a person skipped it.
        public var skipped: Bool

        enum CodingKeys: String, CodingKey {
            case day, workout, reps, measured, pain, skipped
            case plannedReps = "planned_reps"
        }
    }

    /// One exercise of a plan.
    public struct Exercise: Sendable, Encodable {
        /// The exercise's label.
        public var action: String
        /// The wanted range of motion and seconds of a repetition; `nil` for the usual ones.
        public var rangeLeast, rangeMost, secondsLeast, secondsMost: Double?
        /// Its steps in order of time.
        public var points: [Point]

        enum CodingKeys: String, CodingKey {
            case action, points
            case rangeLeast = "range_least"
            case rangeMost = "range_most"
            case secondsLeast = "seconds_least"
            case secondsMost = "seconds_most"
        }

        /// The steps that were skipped.
        public var skipped: Int { points.count(where: \.skipped) }
    }

    /// One plan.
    public struct Plan: Sendable, Encodable {
        /// The plan's id.
        public var plan: String
        /// The name that people see.
        public var name: String
        /// What was prescribed; `nil` for a plan that nobody prescribed.
        public var prescription: WorkoutPlan.Prescription?
        /// The workouts, and those in which everything was done.
        public var workouts, completed: Int
        /// The days with a workout.
        public var days: Int
        /// The days that were prescribed in the weeks of the report since the prescription began, with its first workout;
        /// `nil` without a prescription.
        public var prescribedDays: Int?
        /// The workouts that ended because of the pain.
        public var endedByPain: Int
        /// The exercises, in the order of the plan.
        public var exercises: [Exercise]

        /// The share of the prescribed days on which something was done, 0…1; `nil` without a prescription.
        public var adherence: Double? {
            prescribedDays.map { $0 > 0 ? (min(Double(days) / Double($0), 1) * 1000).rounded() / 1000 : 1 }
        }

        enum CodingKeys: String, CodingKey {
            case plan, name, prescription, workouts, completed, days, adherence, exercises
            case prescribedDays = "prescribed_days"
            case endedByPain = "ended_by_pain"
        }

        /// Encodes the adherence with the stored values.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(plan, forKey: .plan)
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(prescription, forKey: .prescription)
            try container.encode(workouts, forKey: .workouts)
            try container.encode(completed, forKey: .completed)
            try container.encode(days, forKey: .days)
            try container.encodeIfPresent(prescribedDays, forKey: .prescribedDays)
            try container.encodeIfPresent(adherence, forKey: .adherence)
            try container.encode(endedByPain, forKey: .endedByPain)
            try container.encode(exercises, forKey: .exercises)
        }
    }

    /// The name that a person typed.
    public var name: String
    /// The first and the last day, `2026-11-21`.
    public var from, to: String
    /// The plans, the one that was done last first.
    public var plans: [Plan]

    /// Sums up workouts. A prescription that goes on is reported also when nothing was done.
    ///
    /// - Parameters:
    ///   - rows: all workouts of one name, also those from before the weeks: they say when a prescription began.
    ///   - weeks: up to the day of `now`, which is included.
    ///   - zone: the gym's time zone, by which days change.
    public init(_ rows: [WorkoutRow], name: String, weeks: Int, now: Date, zone: TimeZone) {
        let calendar = Calendar.gregorian(in: zone)
        let first = calendar.date(byAdding: .day, value: 1 - 7 * weeks, to: calendar.startOfDay(for: now)) ?? now
        self.name = name
        (from, to) = (calendar.dayText(of: first), calendar.dayText(of: now))
        let ended = rows.filter { $0.body.endReason != nil }.compactMap { row in
            Timestamp.date(text: row.body.start).map { Dated(row: row, start: $0, day: calendar.dayText(of: $0)) }
        }.filter { $0.start <= now }.sorted { $0.start < $1.start }
        plans = Dictionary(grouping: ended, by: \.row.body.plan).values
            .sorted { ($0.last?.start ?? now) > ($1.last?.start ?? now) }
            .compactMap { [from, to] in Plan($0, from: from, to: to) }
    }

    /// A workout and its day.
    fileprivate struct Dated {
        let row: WorkoutRow
        let start: Date
        let day: String
    }
}

extension ProgressReport.Plan {
    /// Sums up the workouts of one plan, in order of time; `nil` where nothing was done and nothing was prescribed.
    ///
    /// - Parameters:
    ///   - all: also those before the first day.
    ///   - from: the first day of the report.
    ///   - today: its last day.
    fileprivate init?(_ all: [ProgressReport.Dated], from: String, to today: String) {
        guard let newest = all.last?.row.body else { return nil }
        let workouts = all.filter { $0.day >= from }
        let began = all.first { $0.row.body.prescription != nil }?.day ?? today
        let prescribed = newest.prescription.map { Self.days(prescribed: $0, from: max(began, from), to: today) }
        if workouts.isEmpty, prescribed ?? 0 == 0 { return nil }
        self.init(
            plan: newest.plan, name: newest.planName, prescription: newest.prescription, workouts: workouts.count,
            completed: workouts.count { $0.row.body.completedSteps == $0.row.body.steps.count },
            days: Set(workouts.map(\.day)).count,
            prescribedDays: prescribed,
            endedByPain: workouts.count { $0.row.body.endReason == Workout.EndReason.pain.rawValue },
            exercises: Self.exercises(workouts))
    }

    private static func exercises(_ workouts: [ProgressReport.Dated]) -> [ProgressReport.Exercise] {
        let steps = workouts.flatMap { workout in workout.row.body.steps.map { (workout: workout, step: $0) } }
        let actions = steps.reduce(into: [String]()) { if !$0.contains($1.step.action) { $0.append($1.step.action) } }
        return actions.map { action in
            let own = steps.filter { $0.step.action == action }
            let last = own.last?.step
            return ProgressReport.Exercise(
                action: action, rangeLeast: last?.rangeLeast, rangeMost: last?.rangeMost,
                secondsLeast: last?.secondsLeast, secondsMost: last?.secondsMost,
                points: own.map { workout, step in
                    ProgressReport.Point(
                        day: workout.day, workout: workout.row.id, reps: step.reps, plannedReps: step.plannedReps,
                        measured: step.measured, pain: step.pain, skipped: step.skipped)
                })
        }
    }

    /// The prescribed days from a day to today or to the end of the prescription, rounded up.
    private static func days(prescribed: WorkoutPlan.Prescription, from: String, to today: String) -> Int {
        let calendar = Calendar.gregorian(in: .gmt)
        guard let first = calendar.date(ofDay: from),
            let last = calendar.date(ofDay: min(prescribed.ends ?? today, today)),
            let passed = calendar.dateComponents([.day], from: first, to: last).day
        else { return 0 }
        return Int((Double(prescribed.daysAWeek * max(0, passed + 1)) / 7).rounded(.up))
    }
}
