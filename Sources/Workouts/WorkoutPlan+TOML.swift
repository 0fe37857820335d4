import Actions
import Foundation
import Records
import TOMLSettings

extension WorkoutPlan: ConfigurationRoot {
    /// No environment variable changes a plan.
    package static var variablePrefix: String { "SPOTTER_PLAN_" }
}

extension WorkoutPlan.Step: ConfigurationRoot {
    /// No environment variable changes a plan.
    package static var variablePrefix: String { "SPOTTER_PLAN_STEP_" }
}

extension WorkoutPlan {
    /// The most steps of all rounds together.
    static let maximumSteps = 100
    /// What the numbers of a plan may be, in a file and from elsewhere.
    private static let possibleRounds = 1...20
    private static let possibleRepetitions = 1...1000
    private static let possibleSeconds = 1.0...3600
    private static let possibleRest = 0.0...3600
    private static let possibleChallenge = 5.0...3600

    /// Whether the plan keeps the limits of a plan file. Ask this of a plan that comes from elsewhere.
    package var isPossible: Bool {
        Self.possibleRounds.contains(rounds) && !steps.isEmpty && steps.count <= Self.maximumSteps / rounds
            && challengeSeconds.map(Self.possibleChallenge.contains) ?? true
            && steps.allSatisfy { step in
                step.repetitions.map(Self.possibleRepetitions.contains) ?? true
                    && step.seconds.map(Self.possibleSeconds.contains) ?? true
                    && Self.possibleRest.contains(step.restSeconds)
            }
    }

    /// The keys of a plan outside its steps.
    private static let keys: [ConfigurationKey<WorkoutPlan>] = [
        .text("name", \.name, .notEmpty),
        .text("description", \.description),
        .integer("rounds", \.rounds, possibleRounds),
        .number("challenge_seconds", \.challengeSeconds, possibleChallenge),
        .integer("prescription.days_a_week", \.prescribed.daysAWeek, 1...7),
        .text("prescription.ends", \.prescribed.ends, .day),
        .flag("prescription.asks_pain", \.prescribed.asksPain),
        .integer("prescription.pain_limit", \.prescribed.painLimit, 0...10),
    ]

    /// The keys of one `[[step]]` block.
    private static let stepKeys: [ConfigurationKey<Step>] = [
        .text("step.action", \.action, .identifier),
        .integer("step.repetitions", \.repetitions, possibleRepetitions),
        .number("step.seconds", \.seconds, possibleSeconds),
        .number("step.rest_seconds", \.restSeconds, possibleRest),
        .choice("step.side", \.side),
        .number("step.range_least", \.rangeLeast, 0...360),
        .number("step.range_most", \.rangeMost, 0...360),
        .number("step.seconds_least", \.secondsLeast, 0.1...60),
        .number("step.seconds_most", \.secondsMost, 0.1...60),
        .choices("step.watch", \.watch),
    ]

    /// Reads a plan file.
    ///
    /// - Parameters:
    ///   - path: the file; its name without `.toml` becomes the plan's ``id``.
    ///   - exercises: the exercises that the model counts; `nil` accepts every name.
    /// - Throws: ``PlanError`` with line and column.
    public init(path: String, exercises: [String]? = nil) throws {
        do { try self.init(checking: path, exercises: exercises) } catch let error as ConfigurationError {
            throw PlanError(error, path: path)
        }
    }

    private init(checking path: String, exercises: [String]?) throws {
        let file = try TOMLDocument(path: path)
        let id = URL(filePath: path).deletingPathExtension().lastPathComponent
        self.init(id: id, name: id, steps: [])
        let known = Self.keys.map(\.name) + Self.stepKeys.map(\.name)
        let blocks = try file.blocks("step") ?? []
        for (name, value) in file.values where name != "step" {
            try ConfigurationKey.apply(value, name, among: Self.keys, known: known, to: &self, file.place(of: name))
        }
        for (index, block) in blocks.enumerated() {
            let step = try Self.step(block, index, in: file, known: known)
            let place = file.place(of: "step[\(index)]")
            try Self.checkLimits(step, place)
            try check(step, place, exercises, actionPlace: file.place(of: "step[\(index)].action"))
            steps.append(step)
        }
        try checkWhole(file)
    }

    private static func step(
        _ values: [(name: String, value: ConfigurationValue)], _ index: Int, in file: TOMLDocument, known: [String]
    ) throws -> Step {
        var step = Step(action: "")
        for (name, value) in values {
            let place = file.place(of: "step[\(index)].\(name)")
            try ConfigurationKey.apply(value, "step." + name, among: stepKeys, known: known, to: &step, place)
        }
        return step
    }

    private func check(
        _ step: Step, _ place: ConfigurationError.Place, _ exercises: [String]?,
        actionPlace: ConfigurationError.Place
    ) throws {
        func refuse(_ place: ConfigurationError.Place, _ key: String, _ reason: String) -> ConfigurationError {
            .badValue(place: place, key: key, reason: reason)
        }
        if step.action.isEmpty { throw refuse(place, "[[step]]", "needs an action, such as action = \"squat\"") }
        if let exercises, !exercises.contains(step.action) {
            let nearest = NearestName.of(step.action, among: exercises).map { "; did you mean '\($0)'?" } ?? ""
            let known = exercises.joined(separator: ", ")
            throw refuse(
                actionPlace, "step.action",
                "names '\(step.action)', which the model does not count\(nearest) (it counts \(known))")
        }
        if challengeSeconds != nil {
            if step.repetitions != nil || step.seconds != nil {
                throw refuse(place, "[[step]]", "of a challenge has neither repetitions nor seconds")
            }
        } else if (step.repetitions == nil) == (step.seconds == nil) {
            throw refuse(place, "[[step]]", "needs either repetitions or seconds, such as repetitions = 12")
        }
    }

    private static func checkLimits(_ step: Step, _ place: ConfigurationError.Place) throws {
        let limits = [("range", step.rangeLeast, step.rangeMost), ("seconds", step.secondsLeast, step.secondsMost)]
        for (name, least, most) in limits {
            guard let least, let most, least > most else { continue }
            throw ConfigurationError.badValue(
                place: place, key: "[[step]]", reason: "has \(name)_least above \(name)_most")
        }
    }

    private func checkWhole(_ file: TOMLDocument) throws {
        if steps.isEmpty {
            throw ConfigurationError.badValue(
                place: file.place(of: "step"), key: "[[step]]", reason: "is missing: a plan needs at least one step")
        }
        if challengeSeconds != nil, steps.count > 1 || rounds > 1 {
            throw ConfigurationError.badValue(
                place: file.place(of: "challenge_seconds"), key: "challenge_seconds",
                reason: "is for a plan of one step and one round")
        }
        if sequence.count > Self.maximumSteps {
            throw ConfigurationError.badValue(
                place: file.place(of: "rounds"), key: "rounds",
                reason: "makes \(sequence.count) steps: \(Self.maximumSteps) are the limit")
        }
    }
}

extension WorkoutPlan {
    /// The prescription, as its keys read and write it: one key makes a prescription.
    fileprivate var prescribed: Prescription {
        get { prescription ?? Prescription() }
        set { prescription = newValue }
    }
}

extension TextRule {
    /// A day of the calendar.
    fileprivate static let day = TextRule {
        Calendar.gregorian(in: .gmt).date(ofDay: $0) == nil ? "expects a day such as \"2026-12-31\"" : nil
    }
}
