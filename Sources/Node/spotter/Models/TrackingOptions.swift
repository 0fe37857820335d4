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
        for (stream, truth) in zip(streams, truth) {
            let name = URL(filePath: stream).lastPathComponent.replacing(".poses.jsonl", with: "")
            let known = try IdentityStream(contentsOf: URL(filePath: truth))
            try evaluation.add(
                name, tracks: IdentityStream(contentsOf: URL(filePath: stream)), truth: known, truthName: truth,
                sessions: known.exercises.isEmpty ? nil : await sessions(of: stream, everyone))
        }
        if json { try JSON.print(evaluation) } else { Output.line(evaluation.text) }
    }

    /// The sets of each session in a pose stream.
    private func sessions(
        of stream: String, _ configuration: Configuration
    ) async throws -> [[RightMinutes.ReportedSet]] {
        let (classification, failure) = try await Classify.classification(of: stream, configuration)
        if let failure { throw failure }
        let sets = Dictionary(grouping: classification.sets, by: \.track)
        return sets.sorted { $0.key < $1.key }.flatMap { _, sets in
            sets.reduce(into: [[RightMinutes.ReportedSet]]()) { sessions, set in
                if set.rest == nil || sessions.isEmpty { sessions.append([]) }
                sessions[sessions.count - 1].append(
                    RightMinutes.ReportedSet(
                        track: set.track, label: set.label, start: set.start, end: set.end,
                        reps: set.repsMargin == nil ? nil : set.reps))
            }
        }
    }
}
