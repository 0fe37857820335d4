import TOMLSettings
import Actions
import Agent
import ArgumentParser
import Configuration
import Foundation
import Poses

/// The options of every command that finds poses.
struct PoseOptions: ParsableArguments {
    @OptionGroup var configurationFile: ConfigurationFile

    @Option(help: ArgumentHelp("The folder with the pose models.", valueName: "folder"))
    var poseModels: String?

    /// The configuration: the file, then the environment, then the flag.
    ///
    /// - Throws: `ConfigurationError`, ``AddressSpace/TooSmall``.
    func configuration() throws -> Configuration {
        try AddressSpace.check(sources: 1)
        var configuration = try configurationFile.read()
        if let poseModels { configuration.recognition.poseModels = poseModels }
        return configuration
    }
}

/// The options of every command that recognises exercises.
struct RecognitionOptions: ParsableArguments {
    @OptionGroup var poses: PoseOptions

    @Option(help: ArgumentHelp("The classifier's model file.", valueName: "file"))
    var model: String?

    @Option(help: "Whose actions: prominent (the largest person) or everyone.")
    var subjects: String?

    @Option(help: ArgumentHelp("Label nothing below this confidence, 0 to 1.", valueName: "p"))
    var minimumConfidence: Double?

    func validate() throws {
        if let subjects, WindowGatherer.Subjects(rawValue: subjects) == nil {
            throw ValidationError("--subjects takes prominent or everyone, not '\(subjects)'.")
        }
        if let minimumConfidence, !(0...1).contains(minimumConfidence) {
            throw ValidationError("--minimum-confidence takes a number from 0 to 1.")
        }
    }

    /// The configuration: the file, then the environment, then the flags.
    ///
    /// - Throws: `ConfigurationError`, ``AddressSpace/TooSmall``.
    func configuration() throws -> Configuration {
        var configuration = try poses.configuration()
        if let model { configuration.recognition.model = model }
        if let subjects { configuration.recognition.subjects = subjects }
        if let minimumConfidence { configuration.recognition.minimumConfidence = minimumConfidence }
        return configuration
    }
}

/// The mean frame rate since `start`, for progress messages.
func rate(of count: Int, since start: ContinuousClock.Instant) -> String {
    let elapsed = start.duration(to: .now).seconds
    return String(format: "%.0f fps", elapsed > 0 ? Double(count) / elapsed : 0)
}
