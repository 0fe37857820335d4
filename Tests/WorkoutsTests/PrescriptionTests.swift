import Actions
import Foundation
import Testing
import Workouts

@Suite struct PrescriptionTests {
    private var plan: WorkoutPlan {
        var plan = WorkoutPlan(
            id: "knee", name: "Knee",
            steps: [
                .init(action: "squat", repetitions: 3, restSeconds: 10), .init(action: "lunge", repetitions: 3),
            ])
        plan.prescription = .init(daysAWeek: 3, ends: "2027-01-20", painLimit: 4)
        return plan
    }

    @Test func `the pain is asked for after each step, and the workout waits for it at the end`() throws {
        var player = Player(plan)
        player.exercise("squat", 3)
        #expect(player.workout.painQuestion == 0 && player.workout.phase == .resting)
        #expect(player.runner.answer(pain: 2, at: Player.date(player.time)) == [])
        #expect(player.workout.steps[0].pain == 2 && player.workout.painQuestion == nil)
        player.wait(11)
        player.exercise("lunge", 3)
        #expect(player.workout.isOpen && player.workout.phase == .asking && player.workout.painQuestion == 1)
        let answer = player.runner.answer(pain: 4, at: Player.date(player.time))
        let events = try #require(answer)
        #expect(events.map(\.kind) == [.ended] && player.workout.endReason == .completed)
        #expect(player.runner.answer(pain: 4, at: Player.date(player.time)) == nil)
    }

    @Test func `a pain above the limit ends the workout`() {
        var player = Player(plan)
        player.exercise("squat", 3)
        _ = player.runner.answer(pain: 5, at: Player.date(player.time))
        #expect(player.workout.endReason == .pain && player.workout.steps[0].pain == 5)
    }

    @Test func `a question that nobody answers does not keep the workout open`() {
        var player = Player(plan)
        player.exercise("squat", 3)
        player.wait(11)
        player.exercise("lunge", 3)
        player.wait(299)
        #expect(player.workout.isOpen)
        player.wait(2)
        #expect(player.workout.endReason == .completed && player.workout.steps[1].pain == nil)
        // Three squats, a rest and three lunges.
        #expect(player.workout.end == Player.date(23) && player.workout.steps[1].end == Player.date(23))
    }

    @Test func `a question is over after five minutes without frames, too`() {
        var player = Player(plan)
        player.exercise("squat", 3)
        player.wait(11)
        player.exercise("lunge", 3)
        #expect(player.runner.pass(to: Player.date(322)).isEmpty)
        #expect(player.runner.pass(to: Player.date(324)).map(\.kind) == [.ended])
        #expect(player.workout.endReason == .completed && player.workout.end == Player.date(23))
    }

    @Test func `a recording that ends with the question open leaves the workout complete`() {
        var player = Player(plan)
        player.exercise("squat", 3)
        player.wait(11)
        player.exercise("lunge", 3)
        _ = player.runner.stop(.sourceEnded, at: Player.date(player.time))
        #expect(player.workout.endReason == .completed)
    }

    @Test func `a prescription is over after its last day in the gym's time zone`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Pacific/Auckland") ?? .gmt
        let prescription = WorkoutPlan.Prescription(ends: "2027-01-20")
        let lastMoment = Date(timeIntervalSince1970: 1_800_442_799)  // 23:59:59 on 20 January in Auckland
        #expect(!prescription.isOver(at: lastMoment, calendar))
        #expect(prescription.isOver(at: lastMoment + 1, calendar))
    }

    @Test func `shallow repetitions are measured, and one cue is said`() {
        var player = Player(plan, rules: FormRules([CueCoachTests.rule(.kneeFlexion, least: 90, cue: "Deeper.")]))
        player.exercise("squat", 3, measures: CueCoachTests.measures([.kneeFlexion: 60, .seconds: 2]))
        let cues = player.kinds.compactMap { if case .cue(let step, let cue) = $0 { (step, cue) } else { nil } }
        #expect(cues.map(\.0) == [0] && cues.map(\.1.text) == ["Deeper."])
        let step = player.workout.steps[0]
        #expect(step.measured.count == 3 && step.cues.count == 1)
        #expect(step.summary?.range?.value == 60)
        // Another person goes on: what was measured stays.
        #expect(player.workout.steps[1].measured.isEmpty)
    }

    @Test func `a workout that goes on after a restart keeps what was measured`() throws {
        let rules = FormRules([CueCoachTests.rule(.kneeFlexion, least: 90, cue: "Deeper.")])
        var player = Player(plan, rules: rules)
        player.exercise("squat", 2, measures: CueCoachTests.measures([.kneeFlexion: 60]))
        let stored = try JSONDecoder().decode(Workout.self, from: JSONEncoder().encode(player.workout))
        #expect(stored == player.workout)
        var again = Player(stored, rules: rules, at: player.time)
        again.exercise("squat", 2, measures: CueCoachTests.measures([.kneeFlexion: 100]))
        #expect(again.workout.steps[0].repetitions == 4)
        #expect(again.workout.steps[0].measured.map { $0[.kneeFlexion]?.value } == [60, 60, 100, 100])
    }
}
