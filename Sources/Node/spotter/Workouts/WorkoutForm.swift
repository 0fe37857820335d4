import Actions
import Agent
import ArgumentParser
import CommandLineProgram
import Configuration

extension WorkoutCommand {
    struct Form: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what is judged in each exercise, and from which views.",
            discussion: """
                The rules are in the file beside the model, such as exercises.rules.toml. One
                camera cannot measure everything from everywhere: a dash stands for no reading.
                """)
        @OptionGroup var configurationFile: ConfigurationFile

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        private struct Row: Encodable {
            var action: String
            var measure: String
            var unit: String
            var least, most: Double?
            var factor: String?
            var unless: String?
            var cueBelow, cueAbove: String?
            var views: [String]
            var on: Bool

            enum CodingKeys: String, CodingKey {
                case action, measure, unit, least, most, factor, unless, views, on
                case cueBelow = "cue_below"
                case cueAbove = "cue_above"
            }
        }

        func run() throws {
            let rules = try configurationFile.read().formRules().rules
            let views: [CameraView] = [.front, .turned, .side]
            if json {
                return try JSON.print(
                    rules.map { rule in
                        Row(
                            action: rule.action, measure: rule.measure.rawValue, unit: rule.measure.unit.rawValue,
                            least: rule.least, most: rule.most,
                            factor: rule.isOnlyMeasured ? nil : rule.factor.rawValue, unless: rule.unless?.rawValue,
                            cueBelow: rule.cueBelow.isEmpty ? nil : rule.cueBelow,
                            cueAbove: rule.cueAbove.isEmpty ? nil : rule.cueAbove,
                            views: views.filter(rule.views.contains).map(\.rawValue), on: rule.isOn)
                    })
            }
            guard !rules.isEmpty else {
                Output.line("There is no rule file beside the model: only tempo is measured.")
                return
            }
            var table = Table(["EXERCISE", "MEASUREMENT", "FRONT", "TURNED", "SIDE", "RIGHT"])
            for rule in rules {
                table.add(
                    [rule.action, rule.measure.rawValue]
                        + views.map { rule.views.contains($0) ? rule.isOnlyMeasured ? "measured" : "judged" : "-" }
                        + [rule.isOn ? Self.right(rule) : "off"])
            }
            table.print()
        }

        /// The limits in words: `90° or more`.
        private static func right(_ rule: FormRule) -> String {
            switch (rule.least.map(rule.measure.text), rule.most.map(rule.measure.text)) {
            case (let least?, let most?): "\(least) to \(most)"
            case (let least?, nil): "\(least) or more"
            case (nil, let most?): "\(most) or less"
            case (nil, nil): "-"
            }
        }
    }
}
