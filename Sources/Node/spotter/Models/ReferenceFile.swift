import Actions
import Agent
import CommandLineProgram
import Configuration
import Foundation
import Poses
import Records
import Training

/// Saves the reference recording of an exercise, after checking that it is usable.
struct ReferenceFile {
    private let label: String
    private let basis: CountingBasis?
    private let folder: URL
    private let isConfigured: Bool

    init(label: String, model: ModelDescription, _ configuration: Configuration) {
        self.label = label
        basis = model.counting?[label]
        isConfigured = !configuration.recognition.references.isEmpty
        folder = URL(filePath: isConfigured ? configuration.recognition.references : "references")
        if !model.countedLabels.contains(label) {
            Terminal.print(
                "\(label) is no exercise of \(model.name), which knows \(model.countedLabels.joined(separator: ", ")); "
                    + "the reference will be used once a model knows it.")
        }
    }

    /// Saves a recording, in place of an older one, if repetitions are found in it.
    ///
    /// - Throws: `PoseStreamError`, `FormReferenceError`; an older recording then stays.
    func save(_ clip: LabelledClip) throws {
        let stretch = PoseStretch(start: 0, rate: clip.rate, aspect: clip.aspect, keypoints: clip.keypoints)
        let reference = try FormReference(stretch, basis: basis, named: "the recording")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = FormReference.file(of: label, in: folder)
        try clip.write(poseStream: file)
        let count = reference.count.counted("repetition")
        Terminal.print("\(file.relativePath): \(count) of \(DurationText.of(reference.meanSeconds)) on average")
        if !isConfigured {
            Terminal.print(
                "To use it: recognition.references = \"references\", or spotter classify --references references")
        }
    }
}
