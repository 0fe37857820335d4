import Foundation
import Messaging

/// The states of the files beside the configuration that a node reads only when it begins: models and references.
struct LoadedFiles: Equatable, Sendable {
    private let marks: [String: FileFingerprint]

    init(of configuration: Configuration) {
        let recognition = configuration.recognition
        let folders = [
            (URL(filePath: recognition.model).deletingLastPathComponent().path, ".safetensors"),
            (recognition.poseModels, ".tflite"),
            (recognition.references, ""),
        ]
        let paths = folders.flatMap { folder, ending in
            // What cannot be listed could not be loaded either.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasSuffix(ending) }.map { folder + "/" + $0 }
        }
        marks = Dictionary(paths.map { ($0, FileFingerprint($0)) }) { first, _ in first }
    }
}
