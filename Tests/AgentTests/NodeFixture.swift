import Actions
import Agent
import Configuration
import Foundation
import Poses
import TestSupport

/// Nodes without a broker, in a temporary folder, and recordings for them.
struct NodeFixture {
    let folder: TemporaryFolder
    let log = LogLines()

    /// The folder of the shipped models.
    static let models = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Models")
        .standardizedFileURL

    /// Whether the pose networks, which are not part of the repository, were fetched.
    static let hasPoseModels = FileManager.default.fileExists(
        atPath: models.appending(path: "pose_detection.tflite").path)

    init() throws { folder = try TemporaryFolder() }

    var database: String { folder.file("spotter.db").path }

    func configuration(_ cameras: [Configuration.Camera]) -> Configuration {
        var configuration = Configuration()
        configuration.cameras = cameras
        configuration.mqtt.enabled = false
        configuration.history.path = database
        configuration.recognition.model = Self.models.appending(path: "exercises.safetensors").path
        configuration.recognition.poseModels = Self.models.path
        return configuration
    }

    func camera(_ id: String, source: String = "/dev/video0", enabled: Bool = true) -> Configuration.Camera {
        var camera = Configuration.Camera()
        (camera.id, camera.source, camera.enabled) = (id, source, enabled)
        return camera
    }

    /// A node that watches one source as `rack1`.
    func node(source: String, enabled: Bool = true) throws -> Node {
        try Node(configuration([camera("rack1", source: source, enabled: enabled)]), logger: log.logger())
    }

    /// The path of a pose stream with one person at each of these times, in seconds.
    func recording(_ times: [Double]) throws -> String {
        let url = folder.file("recording.poses.jsonl")
        let writer = try PoseStreamWriter(
            url, header: PoseStreamHeader(rateHz: 30, width: 640, height: 480, source: "test"))
        for time in times { try writer.write(SinkFixture.result(at: time).frameResult.frame) }
        try writer.finish()
        return url.path
    }

    /// Writes the shipped model under another name.
    static func write(model name: String, author: String = "", to url: URL) throws {
        let file = try ModelFile(contentsOf: models.appending(path: "exercises.safetensors"))
        var description = file.description
        (description.name, description.author) = (name, author)
        try ModelFile.encode(description, tensors: file.tensors).write(to: url)
    }
}
