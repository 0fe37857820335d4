import Actions
import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import Records

struct Models: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists, chooses, shows, checks and compares models.",
        subcommands: [List.self, Use.self, Show.self, Verify.self, Compare.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a model's labels, window, thresholds, origin and figures, and the rules of recognition.",
            discussion: """
                The rules decide when a label is shown, and when sets, repetitions and
                sessions begin and end. The page Thresholds explains each of them.

                EXAMPLES
                  spotter models show
                  spotter models show my-gym.safetensors --json | jq .labels
                """)

        @Argument(help: "The model file (default: the configuration's).")
        var file: String?

        @OptionGroup var configurationFile: ConfigurationFile

        @Flag(help: "Print the whole description as JSON.")
        var json = false

        func run() throws {
            let configuration = try configurationFile.read()
            let file = file ?? configuration.recognition.model
            let classifier = try ActionClassifier(contentsOf: URL(filePath: file))
            let rules = configuration.recognitionRules
            if json {
                try JSON.print(Shown(model: classifier.description, rules: rules.limits))
            } else {
                show(classifier, file)
                show(rules)
            }
        }

        /// A model's description with the rules beside it.
        private struct Shown: Encodable {
            let model: ModelDescription
            let rules: [RecognitionRules.Limit]

            enum CodingKeys: CodingKey { case rules }

            func encode(to encoder: any Encoder) throws {
                try model.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(
                    Dictionary(uniqueKeysWithValues: rules.map { ($0.name, $0.value) }), forKey: .rules)
            }
        }

        private func show(_ rules: RecognitionRules) {
            Output.line("")
            var table = Table(["RULE", "VALUE"], rightAligned: [1])
            for limit in rules.limits { table.add([limit.name, String(format: "%g", limit.value)]) }
            table.print()
        }

        private func show(_ classifier: ActionClassifier, _ file: String) {
            let model = classifier.description
            var table = Table(["MODEL", model.name])
            table.add(["file", file])
            table.add(["sha256", classifier.digest])
            table.add(["labels", model.labels.joined(separator: ", ")])
            table.add(["exercises", model.countedLabels.joined(separator: ", ")])
            if let held = model.heldLabels { table.add(["timed, not counted", held.joined(separator: ", ")]) }
            table.add([
                "window", "\(model.windowFrames) frames at \(model.framesPerSecond) Hz, every \(model.strideFrames)",
            ])
            table.add([
                "thresholds",
                "confidence \(model.thresholds.minimumConfidence), poses \(model.thresholds.minimumPoseShare)"
                    + (model.thresholds.maximumDistance.map { String(format: ", distance %.2f", $0) } ?? ""),
            ])
            table.add(["temperature", String(format: "%.3f", model.temperature)])
            table.add(["trained on", "\(model.trainingClips.counted("clip")), seed \(model.seed), \(model.created)"])
            table.add(["made by", [model.author, model.tool].filter { !$0.isEmpty }.joined(separator: ", ")])
            table.add(["licence", model.licence])
            table.add(["about", model.summary])
            table.print()
            if let evaluation = model.evaluation {
                Output.line("\nOn held-out windows of its own training data (\(evaluation.windows)):")
                var figures = Table(["LABEL", "WINDOWS", "PRECISION", "RECALL"], rightAligned: [1, 2, 3])
                for row in evaluation.classes {
                    figures.add([
                        row.label, String(row.windows), row.precision.map { String(format: "%.3f", $0) } ?? "-",
                        row.recall.map { String(format: "%.3f", $0) } ?? "-",
                    ])
                }
                figures.print()
            }
        }
    }
}
