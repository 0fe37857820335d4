import Actions
import Contract
import Foundation
import Records

/// What a person wants to do: exercises in order, each with repetitions or seconds, and the rests between them.
public struct WorkoutPlan: Sendable, Equatable, Codable {
    /// The name of its file without `.toml`, by which commands know the plan.
    public var id: String
    /// The name that people see.
    public var name: String
    /// One sentence about the plan; empty for none.
    public var description: String
    /// How often the steps are done, 1…20.
    public var rounds: Int
    /// The length of a challenge in seconds: as many repetitions of the only step as possible. `nil` for a usual plan.
    public var challengeSeconds: Double?
    /// What a therapist prescribes; `nil` for a plan that nobody prescribed.
    public var prescription: Prescription?
    /// What the plan's key `private` says; `nil` without it.
    var privateKey: Bool?
    /// The steps of one round; not empty.
    public var steps: [Step]

    /// The dose of a plan, and the question after each step.
    public typealias Prescription = WorkoutPrescription

    /// One exercise of a plan.
    public struct Step: Sendable, Equatable, Codable {
        /// The exercise: a label of the model.
        public var action: String
        /// Repetitions to do; `nil` for a step of seconds, and in a challenge.
        public var repetitions: Int?
        /// Seconds of the exercise to do; `nil` for a step of repetitions, and in a challenge.
        public var seconds: Double?
        /// Seconds of rest after the step, 0…3600.
        public var restSeconds: Double
        /// The side of the body that works; `nil` for both.
        public var side: Side?
        /// The range of motion that is wanted, in the unit of the exercise's first measurement of it; `nil` for the usual.
        public var rangeLeast, rangeMost: Double?
        /// The wanted seconds of a repetition; `nil` for the usual.
        public var secondsLeast, secondsMost: Double?
        /// Measurements whose rules are off, and which count in this step; `nil` for none.
        public var watch: [FormMeasurement]?
        /// What a repetition must show to count; `nil` counts every one.
        public var standard: RepetitionStandard?
        /// The most degrees by which the joint may be bent at the end of a repetition that counts; `nil` for the usual.
        public var lockOut: Double?
        /// The step ends when its repetitions have become slower by so many percent; `nil` for never.
        public var stopAtSlower: Double?

        /// A step of these values.
        public init(
            action: String, repetitions: Int? = nil, seconds: Double? = nil, restSeconds: Double = 0, side: Side? = nil
        ) {
            self.action = action
            self.repetitions = repetitions
            self.seconds = seconds
            self.restSeconds = restSeconds
            self.side = side
        }

        enum CodingKeys: String, CodingKey {
            case action, repetitions, seconds, side, watch, standard
            case lockOut = "lock_out"
            case stopAtSlower = "stop_at_slower"
            case restSeconds = "rest_seconds"
            case rangeLeast = "range_least"
            case rangeMost = "range_most"
            case secondsLeast = "seconds_least"
            case secondsMost = "seconds_most"
        }
    }

    /// What a repetition must show to count.
    public enum RepetitionStandard: String, Sendable, Codable, CaseIterable {
        /// The whole range of motion, and straight joints at the end where the exercise has a rule for it.
        case strict
    }

    /// One side of the body.
    public typealias Side = WorkoutSide

    /// A plan of these values.
    public init(
        id: String, name: String, description: String = "", rounds: Int = 1, challengeSeconds: Double? = nil,
        steps: [Step]
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.rounds = rounds
        self.challengeSeconds = challengeSeconds
        self.steps = steps
    }

    enum CodingKeys: String, CodingKey {
        case id, name, description, rounds, prescription, steps
        case privateKey = "private"
        case challengeSeconds = "challenge_seconds"
    }

    /// The steps of all rounds in order, each with its round from 1.
    public var sequence: [(round: Int, step: Step)] {
        (1...max(1, rounds)).flatMap { round in steps.map { (round, $0) } }
    }

    /// The exercises of the plan, each once, in order.
    public var actions: [String] {
        steps.reduce(into: []) { actions, step in if !actions.contains(step.action) { actions.append(step.action) } }
    }
}

extension WorkoutPrescription {
    /// Whether the last day is over.
    ///
    /// - Parameter calendar: the calendar of the gym, with its time zone.
    public func isOver(at time: Date, _ calendar: Calendar) -> Bool {
        ends.map { calendar.dayText(of: time) > $0 } ?? false
    }
}
