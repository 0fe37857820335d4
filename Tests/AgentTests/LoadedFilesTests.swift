import Agent
import Configuration
import Foundation
import TestSupport
import Testing

@Suite struct LoadedFilesTests {
    private let folder: TemporaryFolder
    private var configuration = Configuration()

    init() throws {
        folder = try TemporaryFolder()
        for name in ["models", "poses", "references"] {
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
        }
        configuration.recognition.model = folder.file("models/own.safetensors").path
        configuration.recognition.poseModels = folder.file("poses").path
        configuration.recognition.references = folder.file("references").path
        try write("models/own.safetensors", "1")
    }

    private func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: folder.file(name)) }

    @Test(arguments: [
        ("models/own.safetensors", "12", true), ("models/other.safetensors", "1", true),
        ("models/README.md", "1", false), ("poses/pose_detection.tflite", "1", true), ("poses/notes.txt", "1", false),
        ("references/squat", "1", true),
        ("elsewhere", "1", false),
    ])
    func `only changes that affect what the node loads are noticed`(
        name: String, text: String, isNoticed: Bool
    ) throws {
        let before = LoadedFiles(of: configuration)
        #expect(before == LoadedFiles(of: configuration))
        try write(name, text)
        #expect((before != LoadedFiles(of: configuration)) == isNoticed)
    }

    @Test func `a missing folder is noticed and is not an error`() throws {
        try write("references/squat", "1")
        let before = LoadedFiles(of: configuration)
        try FileManager.default.removeItem(at: folder.file("references"))
        #expect(before != LoadedFiles(of: configuration))
    }
}
