import Configuration
import Foundation
import Messaging
import Records

/// Fingerprints of the files besides the configuration that a node reads only at its start: models and references.
package struct LoadedFiles: Equatable, Sendable {
    private let marks: [String: FileFingerprint]

    /// Looks at the files that a configuration names.
    package init(of configuration: Configuration) {
        let recognition = configuration.recognition
        let folders = [
            (URL(filePath: recognition.model).deletingLastPathComponent().path, ".safetensors"),
            (recognition.poseModels, ".tflite"),
            (recognition.references, ""),
        ]
        let paths = folders.flatMap { folder, ending in
            // A folder that cannot be listed could not be loaded either.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasSuffix(ending) }.map { folder + "/" + $0 }
        }
        marks = Dictionary(paths.map { ($0, FileFingerprint($0)) }) { first, _ in first }
    }
}
