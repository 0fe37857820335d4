import Actions
import Foundation
import NeuralNet
import Records
import Workouts

/// A workout of a member, and the sets that a camera recognised in it.
struct MadeUpWorkout {
    private(set) var workout: Workout
    private(set) var stay: Stay
    private let member: Member
    /// How many workouts the member did before.
    private let before: Int
    private let rules: FormRules
    private var random: RandomSource

    /// Makes up a workout.
    ///
    /// - Parameters:
    ///   - before: how many workouts the member did before; they get better from one to the next.
    ///   - rules: what good form is.
    init(of member: Member, before: Int, start: Date, rules: FormRules, _ random: RandomSource) {
        (self.member, self.before, self.rules, self.random) = (member, before, rules, random)
        stay = Stay(camera: member.camera, zone: member.zone, start: start, end: start)
        workout = Workout(
            id: UUIDv7.string(at: start, using: &self.random), plan: member.plan, camera: member.camera,
            name: member.name,
            nickname: member.nickname, start: start)
        var moment = start + self.random.seconds(in: 20...45)
        for number in workout.steps.indices { moment = carryOut(number, from: moment) }
        workout.current = workout.steps.count - 1
        workout.phase = .active
        workout.end = workout.steps.last?.end ?? start
        workout.endReason = .completed
        stay.end = workout.end + self.random.seconds(in: 15...60)
        stay.endReason = .left
    }

    /// Does a step.
    ///
    /// - Returns: when the next one begins.
    private mutating func carryOut(_ number: Int, from start: Date) -> Date {
        let planned = workout.steps[number].planned
        let one = Self.movement(planned.action, member)?.seconds ?? 2...3
        let usual = random.seconds(in: one) * (planned.repetitions == nil ? 0.75 : 1)
        let wanted = planned.repetitions ?? 30 + 2 * before + random.number(in: 0...2)
        var lengths = (0..<wanted).map { place in
            // People get slower towards the end.
            max(0.4, random.near(usual * (1 + 0.18 * Double(place) / Double(wanted)), by: 0.06 * usual))
        }
        if let limit = member.plan.challengeSeconds {
            let factor = (limit - 1) / lengths.reduce(0, +)
            lengths = lengths.map { $0 * factor }
        }
        let seconds = (lengths.reduce(0, +) * 1000).rounded() / 1000
        var step = workout.steps[number]
        (step.start, step.end) = (start, start + (member.plan.challengeSeconds ?? seconds))
        (step.repetitions, step.seconds) = (wanted, seconds)
        step.restBeforeSeconds = number == 0 ? nil : start.timeIntervalSince(workout.steps[number - 1].end ?? start)
        measure(lengths, &step)
        step.pain = member.pain.map { max(0, $0 - before - (number.isMultiple(of: 2) ? 0 : 1)) }
        workout.steps[number] = step
        add(step, seconds: seconds)
        return start + seconds + planned.restSeconds + random.seconds(in: 2...15)
    }

    /// Measures the repetitions of a step by the rules of its exercise, and says what a coach would.
    private mutating func measure(_ lengths: [Double], _ step: inout Workout.Step) {
        let rules = step.planned.rules(rules)
        let primary = rules.first { $0.factor == .primary && $0.least != nil }
        var coach = CueCoach(rules)
        let level = member.range + 0.025 * Double(before)
        for (place, length) in lengths.enumerated() {
            var measures = RepetitionMeasures(view: .side)
            func read(_ measurement: FormMeasurement, _ value: Double, _ error: Double) {
                measures.readings[measurement] = RepetitionMeasures.Reading(value, uncertainty: error)
            }
            if let primary, let least = primary.least {
                let value = least * max(0.5, random.near(level - 0.03 * Double(place) / 10, by: 0.035))
                read(primary.measure, value, 0.04 * least)
            }
            for rule in rules where rule.factor == .control && rule.most != nil && rule.least == nil {
                guard [.trunkLean, .bodyBend, .kneeOverToes].contains(rule.measure), let most = rule.most else {
                    continue
                }
                read(rule.measure, max(0, random.near(0.78 * most, by: 0.12 * most)), 0.06 * most)
            }
            let raising = (0.45 * length * 100).rounded() / 100
            read(.seconds, length, 0.05)
            read(.loweringSeconds, length - raising, 0.05)
            read(.raisingSeconds, raising, 0.05)
            read(.raisingSpeed, 0.42 / max(0.2, raising), 0.03)
            step.measured.append(MeasuredRepetition(measures, by: rules))
            if let cue = coach.cue(after: place + 1, measures) { step.cues.append(cue) }
        }
        step.form = step.summary?.whole
    }

    /// The set that was recognised in a step, with what was entered for it.
    private mutating func add(_ step: Workout.Step, seconds: Double) {
        guard let start = step.start else { return }
        let number = stay.sets.count + 1
        stay.sets.append(
            SessionSet(
                number: number, label: step.planned.action, start: start, end: start + seconds, reps: step.repetitions,
                form: step.form, zone: stay.zone, confidence: 0.97, repsMargin: 0))
        guard let first = member.loadKg[step.planned.action] else { return }
        let load = first + 2.5 * Double(before)
        let effort = min(max((random.near(7 + 0.4 * Double(number % 3), by: 0.4) * 2).rounded() / 2, 5), 10)
        stay.efforts[number] = (load, effort)
    }

    private static func movement(_ label: String, _ member: Member) -> Movement? {
        let own = Gym.places.filter { $0.camera == member.camera && $0.zone == member.zone }
        return (own + Gym.places).flatMap(\.movements).first { $0.label == label }
    }
}
