import Actions
import Foundation
import TOMLSettings

extension FormRule: ConfigurationRoot {
    /// No environment variable changes a rule.
    package static var variablePrefix: String { "SPOTTER_RULE_" }
}

/// What is wrong with a rule file: its place, the reason, and what to do next.
public struct FormRulesError: Error, Equatable, CustomStringConvertible {
    /// The sentence for people.
    public let description: String
}

extension FormRules {
    private static let keys: [ConfigurationKey<FormRule>] = [
        .text("rule.action", \.action, .identifier),
        .choice("rule.measure", \.measure),
        .number("rule.least", \.least, -1000...1000),
        .number("rule.most", \.most, -1000...1000),
        .number("rule.tolerance", \.tolerance, 0.001...1000),
        .choice("rule.factor", \.factor),
        .number("rule.weight", \.weight, 0.1...10),
        .choices("rule.views", \.ownViews),
        .choice("rule.unless", \.unless),
        .flag("rule.on", \.isOn),
        .text("rule.cue_below", \.cueBelow, .limited(.cueRule)),
        .text("rule.cue_above", \.cueAbove, .limited(.cueRule)),
        .text("rule.praise", \.praise, .limited(.cueRule)),
    ]

    /// The rule file of a model: `exercises.rules.toml` beside `exercises.safetensors`.
    public static func file(of model: URL) -> URL {
        model.deletingPathExtension().appendingPathExtension("rules.toml")
    }

    /// Reads a rule file.
    ///
    /// - Throws: ``FormRulesError`` with line and column.
    public init(contentsOf file: URL) throws {
        do { try self.init(checking: file.path) } catch let error as ConfigurationError {
            throw FormRulesError(description: "\(error); correct the rule file")
        }
    }

    private init(checking path: String) throws {
        let file = try TOMLDocument(path: path)
        let names = Self.keys.map(\.name)
        if let (name, _) = file.values.first(where: { $0.name != "rule" }) {
            throw ConfigurationError.unknownKey(place: file.place(of: name), key: name, nearest: "[[rule]]")
        }
        let blocks = try file.blocks("rule") ?? []
        let rules = try blocks.enumerated().map { index, block in
            var rule = FormRule()
            for (name, value) in block {
                let place = file.place(of: "rule[\(index)].\(name)")
                try ConfigurationKey.apply(value, "rule." + name, among: Self.keys, known: names, to: &rule, place)
            }
            let given = Set(block.map(\.name))
            try Self.check(rule, given, at: file.place(of: "rule[\(index)]"))
            return rule
        }
        self.init(rules)
    }

    private static func check(
        _ rule: FormRule, _ given: Set<String>, at place: ConfigurationError.Place
    ) throws {
        func refuse(_ reason: String) -> ConfigurationError {
            .badValue(place: place, key: "[[rule]]", reason: reason)
        }
        for (key, example) in [("action", "\"squat\""), ("measure", "\"knee_flexion\"")] where !given.contains(key) {
            throw refuse("needs \(key), such as \(key) = \(example)")
        }
        guard rule.isOnlyMeasured || given.contains("tolerance") else {
            throw refuse("needs tolerance, the distance from the limit that costs a third of the score")
        }
        if let least = rule.least, let most = rule.most, least > most { throw refuse("has a least above its most") }
        if !rule.cueBelow.isEmpty && rule.least == nil { throw refuse("has cue_below without least") }
        if !rule.cueAbove.isEmpty && rule.most == nil { throw refuse("has cue_above without most") }
    }
}
