import Records
import Actions
import Agent
import ArgumentParser
import Foundation
import Training

/// The parameters of ``TrainingParameters`` that people change.
struct TrainingOptions: ParsableArguments {
    @Option(help: "Passes over the clips (default: 30; with --from they follow from the number of clips).")
    var epochs: Int?

    @Option(help: "The same seed gives the same model.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How long one action takes (default: 2); sets the window.", valueName: "seconds"))
    var duration: Double?

    @Option(help: ArgumentHelp("Frames per second the model works at (default: 30).", valueName: "hz"))
    var rate: Double?

    @Option(help: ArgumentHelp("Frames in a window, instead of --duration (default: 60).", valueName: "frames"))
    var window: Int?

    @Option(
        help: ArgumentHelp(
            "Frames before the window that the network also sees; 0 for none (default: 60).", valueName: "frames"))
    var context: Int?

    @Option(help: ArgumentHelp("Frames from one window to the next (default: 10).", valueName: "frames"))
    var stride: Int?

    @Option(help: ArgumentHelp("Stop after this many passes without improvement (default: 12).", valueName: "passes"))
    var patience: Int?

    @Option(
        help: ArgumentHelp(
            "Learn also what this model thinks of each window; may be given several times. Train them on the same "
                + "labels with other seeds: their mean errs less than each of them.", valueName: "file"))
    var teacher: [String] = []

    @Option(
        help: ArgumentHelp(
            "Leave out this augmentation; may be given several times. One of: "
                + Augmentation.allCases.map(\.rawValue).joined(separator: ", ") + ", all.", valueName: "name"))
    var noAugment: [String] = []

    func validate() throws {
        guard (1...10_000).contains(epochs ?? 1) else { throw ValidationError("--epochs takes a number from 1.") }
        guard duration == nil || window == nil else { throw ValidationError("Give --duration or --window, not both.") }
        for name in noAugment where name != "all" && Augmentation(rawValue: name) == nil {
            throw ValidationError("There is no augmentation '\(name)'; see: spotter train --help")
        }
    }

    /// The models of `--teacher`.
    func teachers() throws -> [ModelFile] { try teacher.map { try ModelFile(contentsOf: URL(filePath: $0)) } }

    /// - Parameter start: a model to continue from. Its window is kept unless another is asked for.
    func parameters(startingFrom start: ModelFile?, hasOwnClips: Bool) throws -> TrainingParameters {
        var parameters = start.map { TrainingParameters(continuing: $0.description) } ?? TrainingParameters()
        if let epochs { parameters.epochs = epochs }
        if let rate { parameters.framesPerSecond = rate }
        if let duration { parameters.windowFrames = Int((duration * parameters.framesPerSecond).rounded()) }
        if let window { parameters.windowFrames = window }
        if let context { parameters.contextFrames = context }
        if let stride { parameters.strideFrames = stride }
        if let patience { parameters.patience = patience }
        parameters.seed = seed
        // Synthetic clips are easier than recorded ones: a temperature fitted on them would make the model
        // overconfident.
        parameters.fitsTemperature = hasOwnClips
        for name in noAugment {
            if let augmentation = Augmentation(rawValue: name) {
                parameters.augmentations.remove(augmentation)
            } else {
                parameters.augmentations = []
            }
        }
        return parameters
    }
}

/// The description to store in the model file.
struct ModelOptions: ParsableArguments {
    @Option(help: "The model's name, by which a node chooses it (default: that of the file).")
    var name: String?

    @Option(help: "Who made it.")
    var author = ""

    @Option(help: "Under which licence it may be used.")
    var licence = ""

    @Option(help: "What it is for.")
    var about = ""

    @Option(help: ArgumentHelp("The date to write into the file (default: today).", valueName: "2026-11-21"))
    var date: String?

    func validate() throws {
        if let name { try Self.check(name: name) }
        if let date, Calendar.gregorian(in: TimeZoneName.utc).date(ofDay: date) == nil {
            throw ValidationError("--date takes a day, such as 2026-11-21, not '\(date)'.")
        }
    }

    /// Refuses what cannot be typed as a model's name, or looks like a path.
    static func check(name: String) throws {
        let isPlain = name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
        guard isPlain, !name.hasPrefix("."), name.trimmingCharacters(in: .whitespaces) == name,
            (1...maximumName).contains(name.utf8.count)
        else {
            throw ValidationError(
                "--name takes 1 to \(maximumName) bytes in one line, without '/', without a dot or a blank at its beginning."
            )
        }
    }

    private static let maximumName = 100

    /// Writes who made the model into its description.
    ///
    /// - Parameter output: the file that is asked for.
    func describe(_ description: inout ModelDescription, output: String) {
        description.name = name ?? URL(filePath: output).deletingPathExtension().lastPathComponent
        description.author = author
        description.licence = licence
        description.summary = about
        description.tool = "spotter \(Version.text)"
        description.created = date ?? Date().formatted(.iso8601.year().month().day())
    }
}
