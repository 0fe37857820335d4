import Actions
import Agent
import ArgumentParser
import CommandLineProgram
import Configuration
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

    @Option(
        help: ArgumentHelp("Also write how people were known again, with the truth, as CSV.", valueName: "file"))
    var linkSamples: String?

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

    /// Measures and prints. Where the exercises are known, sets and sessions follow from the streams as they would in a node.
    ///
    /// - Parameter configuration: the node's settings and model.
    func measure(asJSON json: Bool, _ configuration: Configuration) async throws {
        var everyone = configuration
        everyone.recognition.subjects = WindowGatherer.Subjects.everyone.rawValue
        var settings = TrackingSettings()
        settings.minimumVisible = minimumVisible
        settings.maximumDistance = maximumDistance
        var evaluation = TrackingEvaluation(settings: settings)
        var samples: [LinkSample] = []
        for (stream, truth) in zip(streams, truth) {
            let name = URL(filePath: stream).lastPathComponent.replacing(/(\.poses\.jsonl|\.[a-z0-9]+)$/, with: "")
            let known = try IdentityStream(contentsOf: URL(filePath: truth))
            if known.exercises.isEmpty, linkSamples == nil, stream.hasSuffix(".jsonl") {
                let tracks = try IdentityStream(contentsOf: URL(filePath: stream))
                try evaluation.add(name, tracks: tracks, truth: known, truthName: truth)
                continue
            }
            let found = try await TrackedRecording(stream, everyone)
            samples += try evaluation.add(
                name, tracks: found.tracks, truth: known, truthName: truth,
                sessions: TrackingEvaluation.Sessions(
                    live: found.liveSessions, linked: found.sessions, people: found.people, links: found.links,
                    comparisons: found.comparisons,
                    idleSeconds: everyone.recognitionRules.sessions.idleSeconds))
        }
        if let linkSamples { try LinkSample.write(samples, to: linkSamples) }
        if json { try JSON.print(evaluation) } else { Output.line(evaluation.text) }
    }
}
