import Agent
import Capture
import Configuration
import Foundation
import HTTPServing
import Records
import TOMLSettings

/// The settings of the cameras, as an operator reads and changes them on the page.
struct CameraSettingsRoutes {
    /// The most cameras of a node that the page configures.
    static let maximumCameras = 16

    /// The keys that the page offers. The others keep their values.
    private static let names = [
        "id", "name", "source", "width", "height", "rotate", "mirror", "enabled", "exposure", "gain", "white_balance",
        "power_line", "overlaps",
    ]

    let status: NodeStatus
    /// `nil` for a node that runs without a configuration file.
    let configurationPath: String?
    /// What a restart would end.
    let training: TrainingRun

    var all: [Route] {
        [
            Route(.GET, "/api/v1/configuration/cameras", .role(.operator)) { _ in
                let cameras = try await reading().cameras
                return try WebResponse.json(
                    Listed(
                        cameras: cameras.map(Self.settings), new: Self.settings(of: .unused(among: cameras)),
                        revision: Self.revision(of: cameras)))
            },
            Route(.POST, "/api/v1/configuration/cameras", .role(.operator), answer: replace),
        ]
    }

    /// The settings of the cameras, those that a new one begins with, and what can be chosen.
    private struct Listed: Encodable {
        let cameras: [[String: String]]
        let new: [String: String]
        let revision: Revision
        let choices = [
            "enabled": ["false", "true"], "mirror": ["false", "true"], "rotate": ["0", "90", "180", "270"],
            "power_line": CameraControls.PowerLine.allCases.map(\.rawValue),
        ]
    }

    /// The configuration as it stands in the files now.
    private func reading() async throws -> Configuration {
        let files = try ConfigurationFiles(configurationPath)
        return try await status.pool.ask(.short) { _ in try files.read() }
    }

    private static func revision(of cameras: [Configuration.Camera]) throws -> Revision {
        try Revision(of: cameras.map(settings))
    }

    /// The values as they would stand in an environment variable, with secrets covered.
    private static func settings(of camera: Configuration.Camera) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, Redaction.covered(in: camera.setting("camera.\($0)"))) })
    }

    /// What the page sends: the cameras in their order.
    private struct Wish: Decodable {
        struct Camera: Decodable {
            /// Which camera it was before; `nil` for a new one.
            let was: String?
            let settings: [String: String]
        }
        let cameras: [Camera]
        /// What the page has read; `nil` replaces whatever is there.
        let revision: Revision?
    }

    /// What is wrong with one setting of one camera.
    private struct Problem: Encodable {
        /// The camera's place in the list, from 0; `nil` for what concerns all.
        let camera: Int?
        /// The setting; `nil` for what concerns the whole camera.
        let setting: String?
        let message: String
    }

    /// The answer: either problems, or that it is kept.
    private struct Answer: Encodable {
        var problems: [Problem] = []
        var restarting = false
        /// Of the settings as they are now.
        let revision: Revision
    }

    /// Checks the cameras as `spotter config check` does, keeps them, and restarts the node with them.
    private func replace(_ request: WebRequest) async throws -> HTTPResponse {
        let wish = try request.body(Wish.self)
        let before = try await reading()
        let known = try Self.revision(of: before.cameras)
        try known.check(wish.revision)
        var (cameras, problems) = try Self.cameras(wish, before.cameras)
        if problems.isEmpty { problems = Self.conflicts(cameras) }
        guard problems.isEmpty else {
            return try WebResponse.json(Answer(problems: problems, revision: known))
        }
        guard cameras != before.cameras else { return try WebResponse.json(Answer(revision: known)) }
        try training.checkRestart()
        let files = try ConfigurationFiles(configurationPath)
        let refusal = try await status.pool.change { [cameras] in try Self.write(cameras, instead: known, in: files) }
        if let refusal {
            return try WebResponse.json(
                Answer(problems: [Problem(camera: nil, setting: nil, message: refusal)], revision: known))
        }
        status.node.logger.notice("the page changed the settings of the cameras")
        let restarts = try await status.answer(to: .node(.reload))["restarting"]?.bool ?? false
        return try WebResponse.json(Answer(restarting: restarts, revision: Self.revision(of: cameras)))
    }

    /// - Returns: why the files refuse it; `nil` when it is kept.
    /// - Throws: ``WebFailure`` when other cameras stand there than those that were read.
    private static func write(
        _ cameras: [Configuration.Camera], instead known: Revision, in files: ConfigurationFiles
    ) throws -> String? {
        try files.change { wanted in
            try revision(of: wanted.cameras).check(known)
            var wanted = wanted
            wanted.cameras = cameras
            do {
                try SetupFile(beside: files.path).writeCameras(
                    of: wanted, environment: ProcessInfo.processInfo.environment)
                return nil
            } catch {
                return "\(error)"
            }
        }
    }

    /// Sets what was sent, and collects what is refused.
    private static func cameras(
        _ wish: Wish, _ before: [Configuration.Camera]
    ) throws -> ([Configuration.Camera], [Problem]) {
        guard (1...maximumCameras).contains(wish.cameras.count) else {
            throw WebFailure(
                .badRequest, "too_many", "A node has 1 to \(maximumCameras) cameras: add one, or remove some.")
        }
        var problems: [Problem] = []
        let cameras = wish.cameras.enumerated().map { place, sent in
            let old = before.first { $0.id == sent.was }
            var camera = old ?? Configuration.Camera()
            for name in sent.settings.keys.sorted() where !names.contains(name) {
                let reason = "is no setting that the page changes: leave it away"
                problems.append(Problem(camera: place, setting: name, message: reason))
            }
            for name in names {
                guard let text = sent.settings[name] else { continue }
                // A covered password that comes back unchanged stays what it was.
                if let old, text == settings(of: old)[name] { continue }
                if let reason = camera.set("camera.\(name)", to: text) {
                    problems.append(Problem(camera: place, setting: name, message: reason))
                }
            }
            return camera
        }
        return (cameras, problems)
    }

    /// What is wrong between cameras that are right one by one.
    private static func conflicts(_ cameras: [Configuration.Camera]) -> [Problem] {
        cameras.enumerated().compactMap { place, camera in
            guard cameras[..<place].contains(where: { $0.id == camera.id }) else { return nil }
            return Problem(camera: place, setting: "id", message: "is the id of another camera: choose another")
        }
    }
}
