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
    /// The keys of a plan outside its steps.
    private static let keys: [ConfigurationKey<WorkoutPlan>] = [
        .text("name", \.name, .limited(.title)),
        .text("description", \.description, .limitedOrEmpty(.paragraph)),
        .integer("rounds", \.rounds, Limits.rounds),
        .number("challenge_seconds", \.challengeSeconds, Limits.challenge),
        .integer("prescription.days_a_week", \.prescribed.daysAWeek, Limits.daysAWeek),
        .text("prescription.ends", \.prescribed.ends, .day),
        .flag("private", \.isPrivate),
        .flag("prescription.asks_pain", \.prescribed.asksPain),
        .integer("prescription.pain_limit", \.prescribed.painLimit, Limits.pain),
    ]

    /// The keys of one `[[step]]` block.
    private static let stepKeys: [ConfigurationKey<Step>] = [
        .text("step.action", \.action, .identifier),
        .integer("step.repetitions", \.repetitions, Limits.repetitions),
        .number("step.seconds", \.seconds, Limits.seconds),
        .number("step.rest_seconds", \.restSeconds, Limits.rest),
        .choice("step.side", \.side),
        .number("step.range_least", \.rangeLeast, Limits.range),
        .number("step.range_most", \.rangeMost, Limits.range),
        .number("step.seconds_least", \.secondsLeast, Limits.tempo),
        .number("step.seconds_most", \.secondsMost, Limits.tempo),
        .choices("step.watch", \.watch),
        .choice("step.standard", \.standard),
        .number("step.lock_out", \.lockOut, Limits.lockOut),
        .number("step.stop_at_slower", \.stopAtSlower, Limits.slower),
    ]

    /// Reads a plan file.
    ///
    /// - Parameters:
    ///   - path: the file; its name without `.toml` becomes the plan's ``id``.
    ///   - exercises: the exercises of the model; `nil` accepts every name.
    /// - Throws: ``PlanError`` with line and column.
    public init(path: String, exercises: PlanExercises? = nil) throws {
        do { try self.init(checking: path, exercises: exercises) } catch let error as ConfigurationError {
            throw PlanError(error, path: path)
        }
    }

    private init(checking path: String, exercises: PlanExercises?) throws {
        let file = try TOMLDocument(path: path)
        let id = URL(filePath: path).deletingPathExtension().lastPathComponent
        if let fault = TextLimit.word.fault(of: id) {
            throw ConfigurationError.badValue(
                place: file.place(of: "name"), key: "the file's name", reason: "\(fault): give it a shorter one")
        }
        self.init(id: id, name: id, steps: [])
        let known = Self.keys.map(\.name) + Self.stepKeys.map(\.name)
        let blocks = try file.blocks("step") ?? []
        // Its keys all have usual values, so the table alone makes a prescription.
        if file.hasTable("prescription") { prescription = Prescription() }
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
        _ step: Step, _ place: ConfigurationError.Place, _ exercises: PlanExercises?,
        actionPlace: ConfigurationError.Place
    ) throws {
        func refuse(_ place: ConfigurationError.Place, _ key: String, _ reason: String) -> ConfigurationError {
            .badValue(place: place, key: key, reason: reason)
        }
        if step.action.isEmpty { throw refuse(place, "[[step]]", "needs an action, such as action = \"squat\"") }
        let needs = [
            ("repetitions", step.repetitions != nil), ("challenge_seconds", challengeSeconds != nil),
            ("standard", step.standard != nil), ("stop_at_slower", step.stopAtSlower != nil),
        ]
        if let fault = exercises?.fault(of: step.action, counting: needs.first { $0.1 }?.0) {
            throw refuse(actionPlace, "step.action", fault)
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
        if step.lockOut != nil, step.standard == nil {
            throw ConfigurationError.badValue(
                place: place, key: "[[step]]", reason: "has lock_out without standard = \"strict\": add the standard")
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
        if sequence.count > Limits.steps {
            throw ConfigurationError.badValue(
                place: file.place(of: "rounds"), key: "rounds",
                reason: "makes \(sequence.count.counted("step")): \(Limits.steps) are the limit")
        }
    }
}

extension WorkoutPlan {
    /// The prescription, as its keys read and write it.
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

    /// A text that is stored.
    static func limited(_ limit: TextLimit) -> TextRule { TextRule { limit.fault(of: $0) } }

    /// The same, or empty.
    static func limitedOrEmpty(_ limit: TextLimit) -> TextRule { TextRule { $0.isEmpty ? nil : limit.fault(of: $0) } }
}
