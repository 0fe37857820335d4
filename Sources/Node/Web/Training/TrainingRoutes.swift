import Actions
import Agent
import Foundation
import HTTPServing
import Messaging
import Records

/// Recording clips, training a model from them, and taking it into use. Only for the operator: clips name people.
struct TrainingRoutes {
    let status: NodeStatus
    let library: ClipLibrary
    let recorder: CameraClipRecorder
    let training: TrainingRun
    private let choice: ModelChoice

    /// Keeps clips and models beside the database.
    ///
    /// - Parameter training: the training; `nil` for one of this program.
    init(status: NodeStatus, training: TrainingRun? = nil) {
        self.status = status
        let node = status.node
        let folder = URL(filePath: node.store.path).deletingLastPathComponent()
        choice = ModelChoice(configuration: node.configuration, store: node.store)
        library = ClipLibrary(folder: folder.appending(path: "clips"))
        recorder = CameraClipRecorder(library: library, pool: status.pool, logger: node.logger)
        self.training =
            training ?? TrainingRun(folder: choice.trainedFolder, clips: library.folder, logger: node.logger)
    }

    var all: [Route] {
        [
            get("/api/v1/clips", clips),
            get("/api/v1/clips/record") { _ in try WebResponse.json(recorder.status()) },
            post("/api/v1/clips/record", record),
            post("/api/v1/clips/record/stop") { _ in
                recorder.stop()
                return try WebResponse.json(recorder.status())
            },
            get("/api/v1/clips/{id}/poses") { request in
                let name = try clip(request)
                return WebResponse.json(try await status.pool.ask(.long) { _ in try library.replay(name).json })
            },
            post("/api/v1/clips/{id}/label", relabel),
            post("/api/v1/clips/{id}/delete", delete),
            get("/api/v1/training") { _ in try WebResponse.json(training.status) },
            post("/api/v1/training/start", start),
            post("/api/v1/training/stop") { _ in
                try training.stop()
                return try WebResponse.json(training.status)
            },
            get("/api/v1/models") { _ in try WebResponse.json(try await models()) },
            post("/api/v1/models/{name}/use", use),
        ]
    }

    private typealias Answer = @Sendable (WebRequest) async throws -> HTTPResponse

    private func get(_ path: String, _ answer: @escaping Answer) -> Route {
        Route(.GET, path, .role(.operator), answer: answer)
    }

    private func post(_ path: String, _ answer: @escaping Answer) -> Route {
        Route(.POST, path, .role(.operator), answer: answer)
    }

    // MARK: - Clips

    private func clip(_ request: WebRequest) throws -> ClipName { try ClipName(id: request.parameters["id"] ?? "") }

    @Sendable private func clips(_ request: WebRequest) async throws -> HTTPResponse {
        struct Listing: Encodable {
            let clips: [Clip]
            let needs: [LabelNeed]
        }
        return try await status.pool.ask(.long) { stop in
            let clips = try library.clips(stop)
            return try WebResponse.json(Listing(clips: clips, needs: LabelNeed.all(of: library.names())))
        }
    }

    @Sendable private func record(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable {
            let camera, label, person: String
            let seconds: Double
            let countdown: Int
        }
        let body = try request.body(Body.self)
        guard status.cameraIDs.contains(body.camera) else { throw status.unknown(body.camera) }
        guard status.node.commands.sessionEnds.isPipelineRunning(body.camera) else {
            throw WebFailure(.conflict, "camera_off", "This camera delivers no frames now: switch it on or check it.")
        }
        let order = try RecordingOrder(
            camera: body.camera, label: body.label, person: body.person, seconds: body.seconds,
            countdown: body.countdown)
        _ = try await status.pool.change(.long) { try recorder.begin(order) }
        return try WebResponse.json(recorder.status())
    }

    @Sendable private func relabel(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable { let label: String }
        let (name, label) = (try clip(request), try request.body(Body.self).label)
        let new = try await status.pool.change { try library.relabel(name, as: label) }
        return try WebResponse.json(["id": new.id])
    }

    @Sendable private func delete(_ request: WebRequest) async throws -> HTTPResponse {
        let name = try clip(request)
        try await status.pool.change { try library.delete(name) }
        status.node.logger.notice("the page deleted a clip of \(name.label)")
        return try WebResponse.json(["id": name.id])
    }

    // MARK: - Training and models

    @Sendable private func start(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable {
            let name: String
            let fromModelInUse, teach: Bool?

            enum CodingKeys: String, CodingKey {
                case name, teach
                case fromModelInUse = "from_model_in_use"
            }
        }
        let body = try request.body(Body.self)
        let current = status.node.classifier.description.name
        try await status.pool.change(.long) {
            guard !library.names().isEmpty else {
                throw WebFailure(.conflict, "no_clips", "There are no clips to learn from: record some first.")
            }
            let known = choice.known()
            let isTaught = body.teach ?? false
            let continues = isTaught || body.fromModelInUse ?? true
            let from = continues ? known[current].map { (name: current, file: $0.file) } : nil
            try training.start(body.name, from: from, isTaught: isTaught, known: Set(known.keys))
        }
        return try WebResponse.json(training.status)
    }

    private func models() async throws -> [ModelRow] {
        let (current, own) = (status.node.classifier, status.node.configuration.recognition.model)
        let trained = choice.trainedFolder.path + "/"
        return try await status.pool.ask(.long) { _ in
            choice.known().sorted { $0.key < $1.key }.map { name, model in
                ModelRow(
                    model.classifier.description, inUse: name == current.description.name,
                    configured: model.file.path == URL(filePath: own).path,
                    trainedHere: model.file.path.hasPrefix(trained))
            }
        }
    }

    /// The node answers first and then restarts with the model.
    @Sendable private func use(_ request: WebRequest) async throws -> HTTPResponse {
        let name = request.parameters["name"] ?? ""
        guard !name.hasSuffix(ModelDescription.notReady) else {
            throw WebFailure(
                .conflict, "not_ready", "The model is not ready: record what its verdict asks for, and train again.")
        }
        try training.checkRestart()
        status.node.logger.notice("the page chooses the model \(name)")
        return try await status.carryOut(.node(.setModel(name)))
    }
}
