import Actions
import Foundation
import History
import Records
import Testing
import Workouts

@Suite struct ProgressReportTests {
    private static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    /// Noon of Saturday, 21 November 2026.
    private static let now = Date(timeIntervalSince1970: 1_795_258_800)

    private func row(
        daysAgo: Double, pain: Int? = 2, skips: Bool = false, ended: Workout.EndReason? = .completed, bend: Double = 80,
        prescription: WorkoutPlan.Prescription? = .init(daysAWeek: 3)
    ) -> WorkoutRow {
        var plan = WorkoutPlan(
            id: "knee", name: "Knee",
            steps: [.init(action: "squat", repetitions: 1), .init(action: "lunge", repetitions: 1)])
        plan.prescription = prescription
        let start = Self.now - daysAgo * 86_400
        var workout = Workout(id: UUIDv7.string(at: start), plan: plan, camera: "c", name: "anna", start: start)
        (workout.end, workout.endReason) = (start + 60, ended)
        workout.steps[0].end = start + 30
        workout.steps[0].repetitions = 1
        workout.steps[0].pain = pain
        var rule = FormRule()
        (rule.measure, rule.least, rule.factor) = (.kneeFlexion, 90, .primary)
        let measures = RepetitionMeasures(view: .side, readings: [.kneeFlexion: .init(bend, uncertainty: 5)])
        workout.steps[0].measured = [MeasuredRepetition(measures, by: [rule])]
        workout.steps[1].isSkipped = skips
        workout.steps[1].repetitions = skips ? 0 : 1
        return WorkoutRow(workout)
    }

    private func report(_ rows: [WorkoutRow], weeks: Int = 2) -> ProgressReport {
        ProgressReport(rows, name: "anna", weeks: weeks, now: Self.now, zone: Self.zone)
    }

    @Test func `adherence counts days since the first workout against the dose`() throws {
        // Eight days have passed, so 3 of 7 days a week are 4 days; twice on one day is one day.
        let rows = [row(daysAgo: 7), row(daysAgo: 7.1), row(daysAgo: 3), row(daysAgo: 0.1)]
        let plan = try #require(report(rows).plans.first)
        #expect(plan.workouts == 4 && plan.days == 3 && plan.prescribedDays == 4 && plan.adherence == 0.75)
    }

    @Test func `after its last day a prescription asks for nothing more`() throws {
        let ended = WorkoutPlan.Prescription(daysAWeek: 7, ends: "2026-11-15")
        let plan = try #require(report([row(daysAgo: 7, prescription: ended)]).plans.first)
        // 14 and 15 November.
        #expect(plan.prescribedDays == 2 && plan.adherence == 0.5)
    }

    @Test func `adherence counts from the beginning of the prescription, also before the weeks of the report`() throws {
        let before = row(daysAgo: 60)
        let idle = try #require(report([before], weeks: 4).plans.first)
        #expect(idle.workouts == 0 && idle.days == 0 && idle.prescribedDays == 12 && idle.adherence == 0)
        #expect(idle.exercises.isEmpty)
        let once = try #require(report([before, row(daysAgo: 0.1)], weeks: 4).plans.first)
        #expect(once.workouts == 1 && once.prescribedDays == 12 && once.adherence == 0.083)
        #expect(once.exercises.first?.points.count == 1, "only the weeks of the report are listed")
        // Weeks in which the same plan was done, but not prescribed, ask for nothing.
        let later = try #require(
            report([row(daysAgo: 60, prescription: nil), row(daysAgo: 6), row(daysAgo: 1)], weeks: 4).plans.first)
        #expect(later.prescribedDays == 3 && later.days == 2)
    }

    @Test func `a prescription that was over before the weeks of the report is not in it`() {
        let ended = WorkoutPlan.Prescription(daysAWeek: 3, ends: "2026-10-01")
        #expect(report([row(daysAgo: 60, prescription: ended)], weeks: 4).plans.isEmpty)
        let within = WorkoutPlan.Prescription(daysAWeek: 7, ends: "2026-11-08")
        let plan = report([row(daysAgo: 60, prescription: within)]).plans.first
        #expect(plan?.prescribedDays == 1 && plan?.adherence == 0)
    }

    @Test func `range, pain and what was skipped are listed in order of time`() throws {
        let rows = [
            row(daysAgo: 1, pain: nil, skips: true, bend: 95), row(daysAgo: 9, bend: 70),
            row(daysAgo: 5, pain: 7, ended: .pain, bend: 80),
        ]
        let plan = try #require(report(rows).plans.first)
        let squat = try #require(plan.exercises.first)
        #expect(squat.points.map { $0.measured?.range?.value } == [70, 80, 95])
        #expect(squat.points.map(\.pain) == [2, 7, nil] && plan.endedByPain == 1)
        #expect(plan.exercises[1].skipped == 1)
        #expect(squat.points.map(\.day) == ["2026-11-12", "2026-11-16", "2026-11-20"])
    }

    @Test func `only ended workouts of the wanted weeks count`() {
        let rows = [row(daysAgo: 20, prescription: nil), row(daysAgo: 1, ended: nil, prescription: nil)]
        #expect(report(rows).plans.isEmpty && report(rows, weeks: 3).plans.first?.workouts == 1)
        #expect(report([row(daysAgo: 1, prescription: nil)]).plans.first?.adherence == nil)
    }
}
