import Contract
import Foundation

/// A workout: what was planned, what is done so far, and what happens now. It can be stored and continued.
public struct Workout: Sendable, Equatable, Codable {
    /// A UUIDv7 in lower case.
    public let id: String
    /// The camera in front of which it takes place.
    public let camera: String
    /// The name that a person typed; `nil` for none. Nobody is ever recognised.
    public var name: String?
    /// What public places show in the place of the name; `nil` for nothing.
    public var nickname: String?
    /// The plan, as it was when the workout began.
    public let plan: WorkoutPlan
    /// When it was started.
    public let start: Date
    /// When something last happened in it.
    public var end: Date
    /// Why it ended; `nil` while it goes on.
    public var endReason: EndReason?
    /// The steps of all rounds; not empty.
    public var steps: [Step]
    /// The index of the step that is done now, or that comes after the rest.
    public var current = 0
    /// What is expected now.
    public var phase = Phase.waiting
    /// When the rest or the challenge ends; `nil` outside both.
    public var until: Date?

    /// What a workout expects.
    public enum Phase: String, Sendable, Codable, CaseIterable {
        /// The step's exercise has not been recognised yet.
        case waiting
        /// The step's exercise was recognised, and the step is not complete.
        case active
        /// The rest before the next step.
        case resting
        /// The last step is done, and a person is asked for the pain.
        case asking
    }

    /// Why a workout ended.
    public typealias EndReason = WorkoutEndReason

    /// One step: what was planned and what was done.
    public struct Step: Sendable, Equatable, Codable {
        /// The round, from 1.
        public let round: Int
        /// The plan's step.
        public let planned: WorkoutPlan.Step
        /// When its exercise was recognised first; `nil` before.
        public var start: Date?
        /// When it was completed, skipped or broken off; `nil` before.
        public var end: Date?
        /// The repetitions that count.
        public var repetitions = 0
        /// Seconds in which the exercise was recognised.
        public var seconds = 0.0
        /// Seconds from the end of the step before to the start of this one; `nil` for the first step and before the start.
        public var restBeforeSeconds: Double?
        /// The score, 0…100; `nil` when too little was seen to judge.
        public var form: Int?
        /// Whether a person skipped it.
        public var isSkipped = false
        /// What was measured in its repetitions, in order.
        public var measured: [MeasuredRepetition] = []
        /// What was said in it, in order.
        public var cues: [Cue] = []
        /// The pain that a person stated after it, 0…10; `nil` for no answer.
        public var pain: Int?

        enum CodingKeys: String, CodingKey {
            case round, planned, start, end, repetitions, seconds, form, measured, cues, pain
            case restBeforeSeconds = "rest_before_seconds"
            case isSkipped = "skipped"
        }

        /// Whether what was planned is done. A step of a challenge is complete when it has ended.
        public var isComplete: Bool {
            if isStopped, end != nil { return true }
            if let wanted = planned.repetitions { return repetitions >= wanted }
            if let wanted = planned.seconds { return seconds >= wanted }
            return end != nil && !isSkipped
        }

        /// Whether its repetitions became so slow that it ended.
        public var isStopped: Bool { cues.contains { $0.kind == .stop } }
        /// The repetitions that do not count, because they miss the standard or are of the other side.
        public var noReps: Int { measured.count { $0.ruling == .noRep } }
        /// Repetitions that count although the standard could not be judged from the camera's side.
        public var unjudged: Int { measured.count { $0.ruling == .unjudged } }
        /// Repetitions that are left; `nil` for a step that is not counted by repetitions.
        public var repetitionsLeft: Int? { planned.repetitions.map { max(0, $0 - repetitions) } }
        /// What was measured in its repetitions; `nil` when nothing was.
        public var summary: StepForm? { StepForm(measured, planned: planned.repetitions) }
        /// Seconds that are left; `nil` for a step that is not measured in seconds.
        public var secondsLeft: Double? { planned.seconds.map { max(0, $0 - seconds) } }
    }

    /// A workout that begins now.
    public init(id: String, plan: WorkoutPlan, camera: String, name: String?, nickname: String? = nil, start: Date) {
        self.id = id
        self.plan = plan
        self.camera = camera
        self.name = name
        self.nickname = nickname
        self.start = start
        end = start
        steps = plan.sequence.map { Step(round: $0.round, planned: $0.step) }
    }

    /// The step that is done now, or that comes after the rest.
    public var step: Step {
        get { steps[current] }
        set { steps[current] = newValue }
    }

    /// The step after which the pain is asked for and not answered yet; `nil` for none.
    public var painQuestion: Int? {
        guard plan.prescription?.asksPain == true, isOpen else { return nil }
        let last = steps.lastIndex { $0.end != nil && !$0.isSkipped }
        return last.flatMap { steps[$0].pain == nil ? $0 : nil }
    }

    /// Whether it goes on.
    public var isOpen: Bool { endReason == nil }
    /// The number of steps that are complete.
    public var completedSteps: Int { steps.filter(\.isComplete).count }
    /// The repetitions of all steps.
    public var repetitions: Int { steps.reduce(0) { $0 + $1.repetitions } }
}
