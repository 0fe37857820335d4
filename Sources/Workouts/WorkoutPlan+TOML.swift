import Actions
import Foundation
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

    /// The keys of a plan outside its steps.
    private static let keys: [ConfigurationKey<WorkoutPlan>] = [
        .text("name", \.name, .notEmpty),
        .text("description", \.description),
        .integer("rounds", \.rounds, 1...20),
        .number("challenge_seconds", \.writtenChallengeSeconds, 5...3600),
        .integer("prescription.days_a_week", \.written.daysAWeek, 1...7),
        .text("prescription.ends", \.writtenEnd, .day),
        .flag("prescription.asks_pain", \.written.asksPain),
        .integer("prescription.pain_limit", \.written.painLimit, 0...10),
    ]

    /// The keys of one `[[step]]` block.
    private static let stepKeys: [ConfigurationKey<Step>] = [
        .text("step.action", \.action, .identifier),
        .integer("step.repetitions", \.writtenRepetitions, 1...1000),
        .number("step.seconds", \.writtenSeconds, 1...3600),
        .number("step.rest_seconds", \.restSeconds, 0...3600),
        .text("step.side", \.writtenSide, .choice(WorkoutPlan.Side.allCases.map(\.rawValue))),
        .number("step.range_least", \.writtenRangeLeast, 0...360),
        .number("step.range_most", \.writtenRangeMost, 0...360),
        .number("step.seconds_least", \.writtenSecondsLeast, 0.1...60),
        .number("step.seconds_most", \.writtenSecondsMost, 0.1...60),
        .words("step.watch", \.writtenWatch, .choice(FormMeasurement.allCases.map(\.rawValue))),
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

/// Values that may be missing, as the keys read and write them. What a file does not name is never set.
extension WorkoutPlan {
    fileprivate var writtenChallengeSeconds: Double {
        get { challengeSeconds ?? 0 }
        set { challengeSeconds = newValue }
    }

    fileprivate var written: Prescription {
        get { prescription ?? Prescription() }
        set { prescription = newValue }
    }

    fileprivate var writtenEnd: String {
        get { prescription?.ends ?? "" }
        set { written.ends = newValue }
    }
}

extension TextRule {
    /// A day of the calendar.
    fileprivate static let day = TextRule { text in
        guard let parts = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/)?.output, let year = Int(parts.1),
            let month = Int(parts.2), let day = Int(parts.3),
            DateComponents(calendar: Calendar(identifier: .gregorian), year: year, month: month, day: day).isValidDate
        else { return "expects a day such as \"2026-12-31\"" }
        return nil
    }
}

extension WorkoutPlan.Step {
    fileprivate var writtenRepetitions: Int {
        get { repetitions ?? 0 }
        set { repetitions = newValue }
    }

    fileprivate var writtenSeconds: Double {
        get { seconds ?? 0 }
        set { seconds = newValue }
    }

    fileprivate var writtenSide: String {
        get { side?.rawValue ?? "" }
        set { side = WorkoutPlan.Side(rawValue: newValue) }
    }

    fileprivate var writtenRangeLeast: Double {
        get { rangeLeast ?? 0 }
        set { rangeLeast = newValue }
    }

    fileprivate var writtenRangeMost: Double {
        get { rangeMost ?? 0 }
        set { rangeMost = newValue }
    }

    fileprivate var writtenSecondsLeast: Double {
        get { secondsLeast ?? 0 }
        set { secondsLeast = newValue }
    }

    fileprivate var writtenSecondsMost: Double {
        get { secondsMost ?? 0 }
        set { secondsMost = newValue }
    }

    fileprivate var writtenWatch: [String] {
        get { watch.map(\.rawValue) }
        set { watch = newValue.compactMap(FormMeasurement.init(rawValue:)) }
    }
}
