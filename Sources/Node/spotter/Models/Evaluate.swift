import CommandLineProgram
import Actions
import Agent
import ArgumentParser
import Foundation
import Poses
import SyntheticMotion
import Training

struct Evaluate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures a model on clips whose labels are known, or tracking.",
        discussion: """
            The clips, videos or pose streams, lie in a folder per label, or are named by
            an annotation file (CSV or JSON with the columns file_name, label, start_time,
            end_time). Labels that the model does not have count as 'other'.

            With --tracking it measures how well people are found and kept apart in
            videos or pose streams whose people are known: IDF1, switches, misses, false
            people. The truth is the .json of a rendered crowd, or another pose stream.
            Where it says who did which exercise, the recordings are recognised as by a
            node, with the model of recognition.model. Then it tells how much of the
            exercise stands in the right person's session. People are known again by
            their clothes in videos only.

            The truth may also be labels by hand, *.people.csv, from a proposal of
            `spotter label --people`. They have no repetitions to compare.

            EXAMPLES
              spotter evaluate Models/exercises.safetensors clips/
              spotter evaluate my-gym.safetensors montage/annotations.csv --json \\
                  | jq .clips.macro_recall
              spotter evaluate my-gym.safetensors clips/ --rate 8 --drop-joints 0.3
                  under worse conditions
              spotter evaluate my-gym.safetensors --synthetic 600 --yaw 90
              spotter evaluate --tracking gym.poses.jsonl --truth gym.json
              spotter evaluate --tracking gym.mp4 --truth gym.json
              spotter evaluate --tracking a.poses.jsonl b.poses.jsonl \\
                  --truth a.json b.json --json | jq .total.idf1
              spotter evaluate --tracking gym.poses.jsonl --truth gym.people.csv
            """)

    @Argument(help: "The model file.")
    var model: String?

    @Argument(help: "A folder with a folder per label, or an annotation file.")
    var clips: String?

    @Option(help: ArgumentHelp("Measure on this many clips of the built-in motion generator instead.", valueName: "n"))
    var synthetic: Int?

    @Option(help: ArgumentHelp("Synthetic people seen from here: 0 is the front, 90 their left.", valueName: "degrees"))
    var yaw: Float?

    @Option(help: ArgumentHelp("Synthetic people seen from this distance.", valueName: "metres"))
    var distance: Float?

    @Option(help: "The seed of synthetic clips and dropped joints.")
    var seed: UInt64 = 1000

    @Option(help: ArgumentHelp("Simulate that only this many poses a second are found.", valueName: "hz"))
    var rate: Double?

    @Option(help: ArgumentHelp("Simulate that this share of the joints is never seen.", valueName: "share"))
    var dropJoints: Float = 0

    @OptionGroup(title: "Poses") var options: ClipOptions

    @Option(help: ArgumentHelp("Also write a report with figures and plots, one HTML page.", valueName: "file"))
    var report: String?

    @Flag(help: "Print one JSON object instead of tables.")
    var json = false

    @OptionGroup(title: "Tracking") var tracking: TrackingOptions

    func validate() throws {
        if try tracking.isWanted(besides: model, clips, synthetic: synthetic, report: report) { return }
        guard model != nil else { throw ValidationError("Give a model, or --tracking and --truth.") }
        guard (clips == nil) != (synthetic == nil) else { throw ValidationError("Give clips, or --synthetic.") }
        guard (0...1).contains(dropJoints), rate.map({ $0 >= 1 }) ?? true, synthetic.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--drop-joints takes 0 to 1, --rate and --synthetic a number from 1.")
        }
        if synthetic == nil, yaw != nil || distance != nil {
            throw ValidationError("--yaw and --distance belong to --synthetic: recorded people stand where they stood.")
        }
    }

    func run() async throws {
        guard let model else {
            return try await tracking.measure(asJSON: json, options.poses.configuration())
        }
        try OutputFile.check(report, sparing: [model, clips])
        let flag = StopFlag()
        let interrupt = Interrupt { flag.set() }
        defer { interrupt.cancel() }
        let classifier = try ActionClassifier(contentsOf: URL(filePath: model))
        let reader = ClipReader(options: options) { flag.isSet }
        let data = if let clips { try await reader.read(clips) } else { Dataset(clips: made) }
        let degradation = Degradation(rateHz: rate, droppedJoints: dropJoints)
        let figures = try classifier.evaluate(
            on: data.clips.enumerated().map { degradation.applied(to: $1, seed: seed + UInt64($0)) })
        guard !figures.clips.verdicts.isEmpty else {
            throw TrainingError.noClips(source: clips ?? "the generator", rejected: data.rejected + figures.rejected)
        }
        if json {
            try JSON.print(
                Answer(
                    model: classifier.name, windows: figures.windows, clips: figures.clips,
                    rejected: data.rejected + figures.rejected))
        } else {
            Output.line(figures.windows.text + "\n\n" + figures.clips.text)
        }
        Rejections.print(figures.rejected)
        if let report {
            let page = EvaluationReport(classifier.description, windows: figures.windows, clips: figures.clips).html
            try OutputFile.write(Data(page.utf8), to: report)
        }
    }

    private var made: [LabelledClip] {
        let options = SyntheticOptions(yawDegrees: yaw, distanceMetres: distance)
        let mix = SyntheticDataset.balanced(total: synthetic ?? 0)
        return SyntheticDataset.clips(perLabel: mix, seed: seed, options: options).map(\.clip)
    }

    private struct Answer: Encodable {
        let model: String
        let windows: Evaluation
        let clips: ClipEvaluation
        let rejected: [RejectedClip]
    }
}
