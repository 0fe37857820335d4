import ArgumentParser
import CommandLineProgram
import Foundation
import Training

/// The options by which `evaluate` measures tracking instead of a model.
struct TrackingOptions: ParsableArguments {
    @Option(
        name: .customLong("tracking"), parsing: .upToNextOption,
        help: ArgumentHelp("Pose streams with identities to measure.", valueName: "streams"))
    var streams: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The truth about each of them, in the same order.", valueName: "files"))
    var truth: [String] = []

    @Option(help: ArgumentHelp("People of whom this share can be seen count, 0 to 1.", valueName: "share"))
    var minimumVisible: Double = TrackingSettings().minimumVisible

    @Option(
        help: ArgumentHelp("A track this near is on a person; mean of the joints, in body sizes.", valueName: "sizes"))
    var maximumDistance: Double = TrackingSettings().maximumDistance

    /// Whether tracking is measured, and nothing else.
    func isWanted(besides model: String?, _ clips: String?, synthetic: Int?, report: String?) throws -> Bool {
        guard !streams.isEmpty || !truth.isEmpty else { return false }
        guard streams.count == truth.count else {
            throw ValidationError(
                "Give a truth for each pose stream: --tracking has \(streams.count), --truth has \(truth.count).")
        }
        guard model == nil, clips == nil, synthetic == nil, report == nil else {
            throw ValidationError("--tracking measures no model: leave out the model, its clips and --report.")
        }
        guard (0...1).contains(minimumVisible), maximumDistance > 0, maximumDistance <= 2 else {
            throw ValidationError("--minimum-visible takes 0 to 1, --maximum-distance up to 2.")
        }
        return true
    }

    /// Measures and prints.
    func measure(asJSON json: Bool) throws {
        var settings = TrackingSettings()
        settings.minimumVisible = minimumVisible
        settings.maximumDistance = maximumDistance
        var evaluation = TrackingEvaluation(settings: settings)
        for (stream, truth) in zip(streams, truth) {
            let name = URL(filePath: stream).lastPathComponent.replacing(".poses.jsonl", with: "")
            try evaluation.add(
                name, tracks: IdentityStream(contentsOf: URL(filePath: stream)),
                truth: IdentityStream(contentsOf: URL(filePath: truth)), truthName: truth)
        }
        if json { try JSON.print(evaluation) } else { Output.line(evaluation.text) }
    }
}
