import Actions
import Agent
import ArgumentParser
import Foundation
import Poses

/// What every command that recognises something can be told.
struct RecognitionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration file (default: ./config.toml if it is there).", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The classifier's model file.", valueName: "file"))
    var model: String?

    @Option(help: ArgumentHelp("The folder with the pose models.", valueName: "folder"))
    var poseModels: String?

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

    /// The configuration file, the environment over it, and the flags over both.
    func configuration() throws -> Configuration {
        let path = config ?? (FileManager.default.fileExists(atPath: "config.toml") ? "config.toml" : nil)
        var configuration = try Configuration(path: path, environment: ProcessInfo.processInfo.environment)
        if let model { configuration.recognition.model = model }
        if let poseModels { configuration.recognition.poseModels = poseModels }
        if let subjects { configuration.recognition.subjects = subjects }
        if let minimumConfidence { configuration.recognition.minimumConfidence = minimumConfidence }
        return configuration
    }
}

/// Frames per second, for messages.
func rate(of count: Int, since start: ContinuousClock.Instant) -> String {
    let (seconds, attoseconds) = start.duration(to: .now).components
    let elapsed = Double(seconds) + Double(attoseconds) * 1e-18
    return String(format: "%.0f fps", elapsed > 0 ? Double(count) / elapsed : 0)
}
