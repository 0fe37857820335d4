import Actions
import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import Records
import Training

extension Models {
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks that this program can run a model file, and says its checksum.",
            discussion: """
                EXAMPLES
                  spotter models verify my-gym.safetensors
                  spotter models verify my-gym.safetensors --sha256 9f2c41…
                """)

        @Argument(help: "The model file.")
        var file: String

        @Option(name: .customLong("sha256"), help: ArgumentHelp("What its checksum should be.", valueName: "digits"))
        var digest: String?

        func run() throws {
            let classifier = try ActionClassifier(contentsOf: URL(filePath: file))
            if let digest, digest.lowercased() != classifier.digest {
                Terminal.print(
                    "\(file): its checksum is \(classifier.digest), expected \(digest); fetch the file again")
                throw ExitCode(ExitStatus.configuration.rawValue)
            }
            let model = classifier.description
            let quiet = [Float](repeating: 0, count: model.windowFrames * 54)
            let window = PoseWindow(
                track: nil, start: 0, end: 2, keypoints: quiet, posedFrames: model.windowFrames, aspect: 1)
            guard try classifier.probabilities(of: window).allSatisfy(\.isFinite) else {
                Terminal.print("\(file): its output is not finite; train it again")
                throw ExitCode(ExitStatus.configuration.rawValue)
            }
            Output.line("\(file): good, \(model.labels.count) labels, sha256 \(classifier.digest)")
        }
    }

    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Puts two models side by side, on the same clips if some are given.",
            discussion: """
                EXAMPLES
                  spotter models compare Models/exercises.safetensors my-gym.safetensors
                  spotter models compare old.safetensors new.safetensors --clips other-day/
                """)

        @Argument(help: "A model file.")
        var first: String

        @Argument(help: "Another.")
        var second: String

        @Option(help: ArgumentHelp("Measure both on these clips.", valueName: "clips"))
        var clips: String?

        @OptionGroup(title: "Poses") var options: ClipOptions

        func run() async throws {
            let flag = StopFlag()
            let interrupt = Interrupt { flag.set() }
            defer { interrupt.cancel() }
            let models = try [first, second].map { try ActionClassifier(contentsOf: URL(filePath: $0)) }
            var table = Table(["", models[0].name, models[1].name])
            func add(_ title: String, _ value: (ModelDescription) -> String) {
                table.add([title] + models.map { value($0.description) })
            }
            add("labels") { $0.labels.joined(separator: ", ") }
            add("window") { "\($0.windowFrames) frames at \($0.framesPerSecond) Hz" }
            add("temperature") { String(format: "%.3f", $0.temperature) }
            add("minimum confidence") { "\($0.thresholds.minimumConfidence)" }
            add("trained on") { "\($0.trainingClips.counted("clip")), \($0.created)" }
            if let clips {
                let data = try await ClipReader(options: options) { flag.isSet }.read(clips)
                let figures = try models.map { try $0.evaluate(on: data.clips).clips }
                func measure(_ title: String, _ value: (ClipEvaluation) -> Double?) {
                    table.add([title] + figures.map { value($0).map { String(format: "%.1f %%", $0 * 100) } ?? "-" })
                }
                measure("mean recall") { $0.macroRecall }
                measure("… reported") { $0.macroReportedRecall }
                for label in Set(figures.flatMap { $0.exercises.map(\.label) }).sorted() {
                    measure("  \(label)") { $0.exercises.first { $0.label == label }?.recall }
                }
                measure("false reports") { $0.falseReports }
                measure("calibration error") { $0.calibrationError }
            }
            table.print()
        }
    }
}
