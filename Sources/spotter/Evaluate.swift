import Actions
import Agent
import ArgumentParser
import Foundation
import Training

struct Evaluate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures a model on clips whose labels are known.",
        discussion: """
            The clips lie in a folder per label, or are named by an annotation file (CSV or JSON with the columns
            file_name, label, start_time, end_time). Labels that the model does not have count as 'other'.

            EXAMPLES
              spotter evaluate Models/exercises.safetensors clips/
              spotter evaluate my-gym.safetensors montage/annotations.csv --json | jq .clips.macro_recall
            """)

    @Argument(help: "The model file.")
    var model: String

    @Argument(help: "A folder with a folder per label, or an annotation file.")
    var clips: String

    @Flag(help: "Refuse to measure when a single clip cannot be used.")
    var strict = false

    @Flag(help: "Print one JSON object instead of tables.")
    var json = false

    func run() throws {
        let classifier = try ActionClassifier(contentsOf: URL(filePath: model))
        let data = try Dataset.load(URL(filePath: clips), isStrict: strict) { try LabelledClip.read(poseStream: $0) }
        let figures = try classifier.evaluate(on: data.clips)
        let rejected = data.rejected + figures.rejected
        if json {
            try JSON.print(
                Answer(model: classifier.name, windows: figures.windows, clips: figures.clips, rejected: rejected))
        } else {
            print(figures.windows.text + "\n\n" + figures.clips.text)
        }
        Rejections.tell(rejected)
    }

    private struct Answer: Encodable {
        let model: String
        let windows: Evaluation
        let clips: ClipEvaluation
        let rejected: [RejectedClip]
    }
}
