import Foundation
import Records
import Workouts

/// `cam/<camera>/workouts`: the workouts in front of a camera, oldest first.
public struct CameraWorkouts: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// The workouts that go on; empty when there is none.
    public var workouts: [WorkoutState]
    /// When this was observed.
    public var ts: Date

    /// The workouts at a moment, as everybody may see them.
    public init(_ workouts: [WorkoutState], ts: Date) {
        self.workouts = workouts.map(\.forEverybody)
        self.ts = ts
    }

    /// Whether more than a few seconds are different.
    func differs(from other: CameraWorkouts) -> Bool {
        guard workouts.count == other.workouts.count else { return true }
        return zip(workouts, other.workouts).contains { new, old in
            var same = old
            (same.seconds, same.secondsLeft) = (new.seconds, new.secondsLeft)
            return same != new || abs(new.seconds - old.seconds) >= 5
        }
    }
}

/// One workout as it is now.
public struct WorkoutState: Sendable, Codable, Equatable {
    /// The workout's id.
    public var id: String
    /// The plan's id.
    public var plan: String
    /// The plan's name, as people see it.
    public var planName: String
    /// The name that a person typed, which only the operator sees; `nil` for none.
    public var name: String?
    /// What everybody sees in the place of the name; `nil` for nothing.
    public var nickname: String?
    /// Whether only the operator sees which plan it is, and that pain is asked for.
    public var isPrivate: Bool
    /// When it was started.
    public var started: Date
    /// `waiting`, `active` or `resting`.
    public var phase: String
    /// Whether the exercise of the step is recognised now, so that the timer runs.
    public var running: Bool
    /// Whether a person does the workout now.
    public var present: Bool
    /// The person's track; `nil` while nobody does the workout.
    public var track: Int?
    /// The current step, or the next one during a rest; from 1.
    public var step: Int
    /// The number of steps.
    public var steps: Int
    /// The round of the step, from 1.
    public var round: Int
    /// The exercise of the step.
    public var action: String
    /// `left` or `right`; `nil` for both sides.
    public var side: String?
    /// The repetitions of the step so far.
    public var reps: Int
    /// Planned repetitions, and how many are left; `nil` for other steps.
    public var plannedReps, repsLeft: Int?
    /// The repetitions of the step that do not count; `nil` where every one counts.
    public var noReps: Int?
    /// How fast the newest repetitions of the step went up, in percent of the fastest of its first three; `nil` unless the plan
    /// watches the speed.
    public var speeds: [Int]?
    /// The standard error of ``speeds`` in percent.
    public var speedError: Int?
    /// From how many percent slower on the step ends; `nil` for never.
    public var stopAtSlower: Double?
    /// Seconds of the step in which the exercise was recognised.
    public var seconds: Double
    /// Planned seconds, and how many are left; `nil` for other steps.
    public var plannedSeconds, secondsLeft: Double?
    /// When the rest or the challenge ends; `nil` outside both.
    public var until: Date?
    /// Another exercise that the person does now, which does not count; `nil` for none.
    public var ignored: String?
    /// What was said last in this step; `nil` for nothing.
    public var cue: String?
    /// The number of cues in the workout so far: it changes with every new one.
    public var cues: Int
    /// Whether a person is asked for the pain after the last step.
    public var asksPain: Bool

    enum CodingKeys: String, CodingKey {
        case id, plan, name, nickname, started, phase, running, present, track, step, steps, round, action, side, reps,
            seconds
        case until, ignored, cue, cues
        case isPrivate = "private"
        case asksPain = "asks_pain"
        case planName = "plan_name"
        case plannedReps = "planned_reps"
        case repsLeft = "reps_left"
        case noReps = "no_reps"
        case speeds = "speeds_percent"
        case speedError = "speed_error_percent"
        case stopAtSlower = "stop_at_slower"
        case plannedSeconds = "planned_s"
        case secondsLeft = "left_s"
    }

    /// So many speeds are shown.
    private static let maximumSpeeds = 20

    /// The state of a workout that runs.
    package init(_ runner: WorkoutRunner) {
        let workout = runner.workout
        let step = workout.step
        id = workout.id
        plan = workout.plan.id
        planName = workout.plan.name
        name = workout.name
        nickname = workout.nickname
        isPrivate = workout.plan.isPrivate
        started = workout.start
        phase = workout.phase.rawValue
        running = runner.isRunning
        present = runner.person != nil
        track = runner.person
        self.step = workout.current + 1
        steps = workout.steps.count
        round = step.round
        action = step.planned.action
        side = step.planned.side?.rawValue
        reps = step.repetitions
        plannedReps = step.planned.repetitions
        repsLeft = step.repetitionsLeft
        noReps = step.planned.refusesRepetitions ? step.noReps : nil
        stopAtSlower = step.planned.stopAtSlower
        if stopAtSlower != nil, let shares = RepetitionSpeeds(step.measured)?.shares {
            let newest = shares.suffix(Self.maximumSpeeds)
            speeds = newest.map { Int((100 * $0.value).rounded()) }
            let error = newest.reduce(0) { $0 + $1.uncertainty } / Double(newest.count)
            speedError = Int((100 * error).rounded(.up))
        }
        seconds = step.seconds.rounded(decimals: 1)
        plannedSeconds = step.planned.seconds
        secondsLeft = step.secondsLeft?.rounded(decimals: 1)
        until = workout.until
        ignored = runner.ignored
        // What was wrong in one repetition is no news after the next.
        cue = step.cues.last.flatMap { $0.kind == .noRep && $0.repetition < step.measured.count ? nil : $0.text }
        cues = workout.steps.reduce(0) { $0 + $1.cues.count }
        asksPain = workout.painQuestion != nil
    }

    /// What everybody may see of it: no name, and of a private workout neither its plan nor the question for the pain.
    package var forEverybody: WorkoutState {
        var state = self
        state.name = nil
        guard isPrivate else { return state }
        (state.plan, state.planName, state.asksPain) = (PublicView.planId, PublicView.planName, false)
        // The time in which the pain can be stated would tell that it is asked for.
        if phase == Workout.Phase.asking.rawValue { state.until = nil }
        state.phase = Workout.Phase(rawValue: phase)?.withoutPain.rawValue ?? phase
        return state
    }
}

extension CameraEvent {
    /// The event to publish for something that happened in a workout, as everybody may see it.
    package init(_ event: WorkoutEvent) {
        let workout = event.workout
        let kind: Kind
        var step: Int?
        switch event.kind {
        case .started: kind = .workoutStarted
        case .stepStarted(let index): (kind, step) = (.stepStarted, index)
        case .repetition(let index, _): (kind, step) = (.repetition, index)
        case .noRep(let index, _, _): (kind, step) = (.noRep, index)
        case .cue(let index, _): (kind, step) = (.cue, index)
        case .stepCompleted(let index): (kind, step) = (.stepCompleted, index)
        case .ended: kind = .workoutEnded
        }
        self.init(kind, camera: workout.camera, ts: event.time, action: step.map { workout.steps[$0].planned.action })
        self.workout = workout.id
        plan = workout.plan.publicName
        nickname = workout.nickname
        self.step = step.map { $0 + 1 }
        steps = workout.steps.count
        if let step, workout.steps[step].planned.refusesRepetitions { noReps = workout.steps[step].noReps }
        switch event.kind {
        case .started, .stepStarted: break
        case .repetition(_, let count): reps = count
        case .noRep(let index, let count, let cue):
            tell(cue)
            (reps, noReps) = (workout.steps[index].repetitions, count)
        case .cue(_, let cue):
            reps = cue.repetition
            tell(cue)
        case .stepCompleted(let index):
            let done = workout.steps[index]
            reps = done.repetitions
            seconds = done.seconds.rounded(decimals: 3)
            reason = done.isSkipped ? "skipped" : done.isStopped ? "slower" : nil
        case .ended:
            reps = workout.repetitions
            seconds = workout.end.timeIntervalSince(workout.start).rounded(decimals: 3)
            reason = (workout.plan.isPrivate ? workout.endReason?.withoutPain : workout.endReason)?.rawValue
        }
    }

    private mutating func tell(_ cue: Cue) {
        kind = cue.kind.rawValue
        text = cue.text
        measure = cue.measure.rawValue
        unit = cue.measure.unit.rawValue
        value = cue.value.rounded(decimals: 3)
        uncertainty = cue.uncertainty.rounded(decimals: 3)
        limit = cue.limit
    }
}

extension CameraWorkouts {
    /// The contract's schema of this payload.
    package static let schema = Schema.object([
        ("v", .contractVersion), ("ts", .required(.moment)),
        ("workouts", .required(.list(WorkoutState.schema), "Oldest first; empty when there is none.")),
    ])
}

extension WorkoutState {
    /// The contract's schema of one workout.
    package static let schema = Schema.object([
        ("id", .required(.uuid)), ("plan", .required(.words)), ("plan_name", .required(.words)),
        ("nickname", .optional(.words, "What a person chose to be seen by. Names are not published here.")),
        ("private", .required(.flag, "Whether the plan and the question for the pain stay on the node.")),
        ("started", .required(.moment)),
        ("phase", .required(.text(words: Workout.Phase.allCases.map(\.rawValue)))),
        ("running", .required(.flag, "Whether the exercise is recognised now.")),
        ("present", .required(.flag, "Whether a person does the workout now.")), ("track", .optional(.count)),
        ("step", .required(.integer(minimum: 1), "During a rest the next one.")),
        ("steps", .required(.integer(minimum: 1))), ("round", .required(.integer(minimum: 1))),
        ("action", .required(.words)), ("side", .optional(.text(words: WorkoutPlan.Side.allCases.map(\.rawValue)))),
        ("reps", .required(.count)), ("planned_reps", .optional(.count)), ("reps_left", .optional(.count)),
        ("no_reps", .optional(.count, "Repetitions that do not count; absent where every one counts.")),
        ("speeds_percent", .optional(.list(.count), "Of the newest repetitions, by the fastest of the first three.")),
        ("stop_at_slower", .optional(.number(minimum: 0), "The step ends at this loss of speed, in percent.")),
        ("speed_error_percent", .optional(.count, "The standard error of the speeds.")),
        ("seconds", .required(.number(minimum: 0))), ("planned_s", .optional(.number(minimum: 0))),
        ("left_s", .optional(.number(minimum: 0))),
        ("until", .optional(.moment, "When the rest or the challenge ends.")),
        ("ignored", .optional(.words, "Another exercise that the person does now.")),
        ("cue", .optional(.words, "What was said last in this step.")),
        ("cues", .required(.count, "Changes with every new cue.")),
        ("asks_pain", .required(.flag, "Whether the pain after the last step is asked for.")),
    ])
}
