import Agent
import Capture
import Configuration
import Diagnostics
import Foundation
import HTTPServing
import Poses
import Records
import Synchronization
import TOMLSettings

/// What the page of the setup asks the node for. It writes what `spotter setup` writes.
struct SetupRoutes {
    /// How long to look through a camera, seconds.
    private static let lookSeconds = 4.0

    let file: SetupFile
    let configurationPath: String
    let environment: [String: String]
    let access: AccessControl
    let pool: WorkPool
    /// Called when the node is set up.
    let done: @Sendable () -> Void
    private let isLooking = Looking()

    /// One look at a time: two would take the camera from each other.
    private final class Looking: Sendable {
        private let state = Mutex(false)

        func begin() -> Bool {
            state.withLock { isBusy in
                defer { isBusy = true }
                return !isBusy
            }
        }
        func end() { state.withLock { $0 = false } }
    }

    var all: [Route] {
        [
            Route(.GET, "/api/v1/setup", .role(.operator)) { _ in try WebResponse.json(try await proposal()) },
            Route(.POST, "/api/v1/setup/look", .role(.operator), answer: look),
            Route(.POST, "/api/v1/setup/broker", .role(.operator), answer: tryBroker),
            Route(.POST, "/api/v1/setup", .role(.operator), answer: write),
            .logIn(access),
        ]
    }

    /// The configuration as it is.
    ///
    /// - Throws: ``WebFailure`` where somebody has set the node up meanwhile.
    private func present() throws -> Configuration {
        guard try file.isOpen(environment: environment) else {
            throw WebFailure(
                .conflict, "set_up", "This node is set up already: sudo spotter setup changes what was answered.")
        }
        let isThere = FileManager.default.fileExists(atPath: configurationPath)
        return try Configuration(path: isThere ? configurationPath : nil, environment: environment)
    }

    private struct Proposal: Encodable {
        struct Device: Encodable { let name, source: String }

        let site, name, broker, reach, file: String
        let devices: [Device]
    }

    private func proposal() async throws -> Proposal {
        try await pool.ask(.long) { _ in
            let now = try present()
            return Proposal(
                site: now.node.site, name: now.node.name,
                broker: now.mqtt.enabled ? "\(now.mqtt.host):\(now.mqtt.port)" : "none",
                reach: PageReach.machine.rawValue, file: file.path,
                devices: CameraList().cameras().found.map { Proposal.Device(name: $0.name, source: $0.source) })
        }
    }

    /// Looks through a camera: its size and the people in its best picture.
    private func look(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let source: String }
        struct Bad: Encodable {
            let good = false
            let text: String
        }
        let source = try SetupAnswers.source(request.body(Body.self).source)
        var configuration = try await pool.ask(.short) { _ in try present() }
        if let reason = configuration.setCameras(["look=\(source)"]) {
            throw SetupAnswers.refusal("A camera \(reason).")
        }
        guard isLooking.begin() else { throw WebFailure.busy }
        defer { isLooking.end() }
        do {
            let camera = configuration.cameras[0]
            guard
                let frame = try await CameraLook.bestFrame(of: camera, configuration, seconds: Self.lookSeconds)
            else { return try WebResponse.json(Bad(text: "No picture came.")) }
            let pose = LiveEvent.json(frame, camera: camera.id, time: 0)
            return WebResponse.json("{\"good\":true,\"pose\":\(pose)}")
        } catch let error as CaptureError {
            return try WebResponse.json(Bad(text: Redaction.covered(in: "\(error)")))
        } catch let error as PoseStreamError {
            return try WebResponse.json(Bad(text: "\(error)"))
        }
    }

    /// Connects to a broker as the node would.
    private func tryBroker(_ request: WebRequest) async throws -> HTTPResponse {
        struct Finding: Encodable {
            let good: Bool
            let text: String
            let advice: String?
        }
        let broker = try request.body(SetupAnswers.Broker.self)
        return try await pool.ask(.long) { _ in
            var configuration = try present()
            var secret = BrokerPassword(configurationPath: configurationPath)
            try broker.apply(to: &configuration, &secret)
            let found = try secret.probe(configuration)
            return try WebResponse.json(
                Finding(good: found.state == .good, text: found.text, advice: found.advice))
        }
    }

    private struct Written: Encodable {
        let file: String
        let reach: String
        /// The page's password, which is shown only now; `nil` where none was made.
        let password: String?
    }

    private func write(_ request: WebRequest) async throws -> HTTPResponse {
        let answers = try request.body(SetupAnswers.self)
        let written = try await pool.change {
            var wanted = try present()
            var secret = BrokerPassword(configurationPath: configurationPath)
            try answers.apply(to: &wanted, &secret)
            do { try write(wanted, secret) } catch let error as any Error & CustomStringConvertible
                where error is OverrideFile.Failure || error is ConfigurationError
                || error is BrokerPassword.CannotStore
            {
                throw WebFailure(.conflict, "not_written", Redaction.covered(in: error.description))
            }
            let needsPassword = try wanted.web.reach == .network && !access.passwords.hasPassword
            return Written(
                file: file.path, reach: wanted.web.reach.rawValue,
                password: needsPassword ? try access.passwords.generate(.operator) : nil)
        }
        done()
        return try WebResponse.json(written)
    }

    private func write(_ wanted: Configuration, _ secret: BrokerPassword) throws {
        let isNew = !FileManager.default.fileExists(atPath: configurationPath)
        if isNew {
            // The file that conf.d lies beside.
            let text =
                "# Spotter's configuration. The files in conf.d beside it override it; `spotter config show` lists all.\n"
            guard FileManager.default.createFile(atPath: configurationPath, contents: Data(text.utf8)) else {
                throw OverrideFile.Failure(
                    description: "\(configurationPath) cannot be written: start the node in another folder.")
            }
        }
        do {
            _ = try secret.store()
            try file.write(wanted, environment: environment)
        } catch {
            if isNew { try? FileManager.default.removeItem(atPath: configurationPath) }
            throw error
        }
    }
}
