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
        .optionalNumber("challenge_seconds", \.challengeSeconds, 5...3600),
    ]

    /// The keys of one `[[step]]` block.
    private static let stepKeys: [ConfigurationKey<Step>] = [
        .text("step.action", \.action, .identifier),
        .optionalInteger("step.repetitions", \.repetitions, 1...1000),
        .optionalNumber("step.seconds", \.seconds, 1...3600),
        .number("step.rest_seconds", \.restSeconds, 0...3600),
        .side("step.side", \.side),
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

extension ConfigurationKey where Root == WorkoutPlan.Step {
    fileprivate static func side(_ name: String, _ path: any Path<WorkoutPlan.Side?>) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard case .text(let text) = value, let side = WorkoutPlan.Side(rawValue: text) else {
                    throw Refusal(reason: "expects \"left\" or \"right\"; leave it away for both")
                }
                root[keyPath: path] = side
            }, text: { $0[keyPath: path].map { "\"\($0.rawValue)\"" } ?? "" }, schema: ["enum": ["left", "right"]])
    }
}

extension ConfigurationKey {
    fileprivate static func optionalInteger(
        _ name: String, _ path: any Path<Int?>, _ range: ClosedRange<Int>
    ) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard let number = value.integer, range.contains(number) else {
                    throw Refusal(reason: "expects a whole number from \(range.lowerBound) to \(range.upperBound)")
                }
                root[keyPath: path] = number
            }, text: { $0[keyPath: path].map { String($0) } ?? "" }, schema: ["type": "integer"])
    }

    fileprivate static func optionalNumber(
        _ name: String, _ path: any Path<Double?>, _ range: ClosedRange<Double>
    ) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard let number = value.number, range.contains(number) else {
                    throw Refusal(reason: "expects a number from \(range.lowerBound) to \(range.upperBound)")
                }
                root[keyPath: path] = number
            }, text: { $0[keyPath: path].map { String($0) } ?? "" }, schema: ["type": "number"])
    }
}
