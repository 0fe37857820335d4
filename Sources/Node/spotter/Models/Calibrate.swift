import CommandLineProgram
import Actions
import Agent
import ArgumentParser
import Foundation
import NeuralNet
import Records
import Training

struct Calibrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a model's confidences honest on your own clips, without training.",
        discussion: """
            Fits the temperature and the limit for unknown motions on clips whose labels
            are known, or sets them as given. It takes at least twenty clips, of people the
            model was not trained on.

            EXAMPLES
              spotter calibrate my-gym.safetensors clips/  what would change
              spotter calibrate my-gym.safetensors clips/ -o my-gym.safetensors
                  and change it
              spotter calibrate my-gym.safetensors --minimum-confidence 0.7 \\
                  -o my-gym.safetensors
              spotter calibrate my-gym.safetensors --counting -o my-gym.safetensors
                  count known exercises as this version does
            """)

    @Argument(help: "The model file.")
    var model: String

    @Argument(help: "A folder with a folder per label, or an annotation file.")
    var clips: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("The model file to write.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Set the temperature instead of fitting it.", valueName: "t"))
    var temperature: Float?

    @Option(help: ArgumentHelp("Set the limit for unknown motions; 0 is none.", valueName: "d"))
    var maximumDistance: Float?

    @Option(help: ArgumentHelp("Label nothing below this confidence, 0 to 1.", valueName: "p"))
    var minimumConfidence: Float?

    @Flag(help: "Learn again how the exercises of the motion generator are counted.")
    var counting = false

    @OptionGroup(title: "Poses") var options: ClipOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard clips != nil || temperature != nil || maximumDistance != nil || minimumConfidence != nil || counting
        else {
            throw ValidationError("Give clips to fit on, or values to set.")
        }
        if let minimumConfidence, !(0...1).contains(minimumConfidence) {
            throw ValidationError("--minimum-confidence takes a number from 0 to 1.")
        }
    }

    func run() async throws {
        try OutputFile.check(output, sparing: [clips])
        let flag = StopFlag()
        let interrupt = Interrupt { flag.set() }
        defer { interrupt.cancel() }
        let file = try ModelFile(contentsOf: URL(filePath: model))
        var description = file.description
        if let clips {
            let data = try await ClipReader(options: options) { flag.isSet }.read(clips)
            let fit = try ActionClassifier(file).calibration(on: data.clips)
            description.temperature = fit.temperature
            description.thresholds.maximumDistance = fit.maximumDistance
            try show(fit)
        }
        if let temperature { description.temperature = temperature }
        if let maximumDistance {
            description.thresholds.maximumDistance = maximumDistance > 0 ? maximumDistance : nil
        }
        if let minimumConfidence { description.thresholds.minimumConfidence = minimumConfidence }
        if counting {
            let learned = CountingBases.learn(labels: description.countedLabels)
            description.counting = (description.counting ?? [:]).merging(learned) { $1 }
            Terminal.print("\(learned.count.counted("exercise")) of the motion generator learned again")
        }
        guard let output else { return Terminal.print("Nothing was written; give a file with -o to keep this.") }
        // A node knows its models by their names, so two files do not share one.
        let names = [model, output].map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
        if names[0] != names[1] { description.name = names[1] }
        let data = try ModelFile.encode(description, tensors: file.tensors)
        try OutputFile.write(data, to: output)
        Terminal.print("\(output): written")
    }

    private func show(_ fit: Calibration) throws {
        if json { return try JSON.print(fit) }
        Output.line("clips                \(fit.clips)")
        Output.line("temperature          " + String(format: "%.3f", fit.temperature))
        Output.line("maximum distance     " + (fit.maximumDistance.map { String(format: "%.2f", $0) } ?? "none"))
        Output.line(
            "calibration error    " + String(format: "%.1f %%", fit.errorBefore * 100) + " before, "
                + String(format: "%.1f %%", fit.errorAfter * 100) + " after")
    }
}
