import Actions
import Configuration
import Foundation
import Glibc
import History
import Logging
import Messaging
import Records
import Synchronization

/// What is known of the newest round of learning: `GET /api/v1/learning`.
package struct LearningStatus: Codable, Sendable, Equatable {
    /// How it stands.
    package enum Phase: String, Codable, Sendable, CaseIterable {
        /// Nothing was learned yet.
        case idle
        /// A round goes on.
        case running
        /// The new model is better, and is taken into use once nobody exercises.
        case waiting
        /// The new model was taken into use.
        case accepted
        /// The new model is not better, and is kept beside the one in use.
        case refused
        /// There is no new model.
        case failed
    }

    /// How it stands.
    package var state = Phase.idle
    /// The new model's name; `nil` before the first round.
    package var model: String?
    /// When the round began and ended, milliseconds since 1970.
    package var started, ended: Int64?
    /// The answers that there were.
    package var answers = 0
    /// What was decided, and by what; as `spotter learn train --json` prints it.
    package var decision: JSONValue?
    /// Why there is no model.
    package var message: String?

    /// A round that began; without arguments nothing was learned yet.
    package init(state: Phase = .idle, model: String? = nil, started: Int64? = nil, answers: Int = 0) {
        (self.state, self.model, self.started, self.answers) = (state, model, started, answers)
    }
}

/// Learns from the answers in a child process of low priority, and takes the new model into use where it is better.
package final class LearningRun: Sendable {
    /// The fewest new answers for another round by night.
    package static let minimumNewAnswers = 5
    /// The models that learned from answers and are kept, so that one can go back.
    package static let keptModels = 5
    private static let statusFile = "last-learning.json"
    private static let prefix = "learned-"

    /// Whether a model has a name that only rounds of learning give. People may name theirs `learned-legs`.
    private static func isLearned(_ model: String) -> Bool {
        model.wholeMatch(of: /learned-\d{14}(-not-ready)?/) != nil
    }

    /// Whether a file belongs to a round of learning that goes on, or was ended by a power cut.
    package static func isPart(_ file: String) -> Bool {
        file.hasSuffix(".part") && isLearned(String(file.dropLast(".part".count)))
    }

    private struct State {
        var status: LearningStatus
        var command: OwnCommand?
        var lines: [String] = []
        var hasEnded = false
        var drifts: [CameraDrift] = []
    }

    private let configuration: Configuration
    private let store: Store
    private let models: ModelChoice
    private let modelInUse: String
    private let program: [String]
    private let logger: Logger
    private let state: Mutex<State>

    /// Goes on with what the newest round left.
    ///
    /// - Parameters:
    ///   - modelInUse: the name of the model that the node uses.
    ///   - program: the start of the command line.
    package init(
        configuration: Configuration, store: Store, modelInUse: String, program: [String] = OwnCommand.program,
        logger: Logger
    ) {
        self.configuration = configuration
        self.store = store
        self.modelInUse = modelInUse
        self.program = program
        self.logger = logger
        models = ModelChoice(configuration: configuration, store: store)
        let file = models.trainedFolder.appending(path: Self.statusFile)
        let last = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(LearningStatus.self, from: $0) }
        state = Mutex(State(status: last ?? LearningStatus()))
    }

    /// The newest round.
    package var status: LearningStatus { state.withLock { $0.status } }

    /// Cameras that were moved or see less surely, as ``lookForDrift()`` found them.
    package var drifts: [CameraDrift] { state.withLock { $0.drifts } }

    /// Compares the newest questions of each camera with those before. It reads all kept joints.
    package func lookForDrift(at now: Date = Date()) {
        guard let found = try? CameraDrift.found(in: store.query).filter({ $0.isRecent(at: now) }) else { return }
        let new = state.withLock { state in
            defer { state.drifts = found }
            return found.filter { !state.drifts.contains($0) }
        }
        for drift in new { logger.warning("camera \(drift.camera): \(drift.problem.message ?? "")") }
    }

    /// Whether a round is due: it is the hour, none began within twelve hours, and there are new answers.
    package func isDue(at date: Date) -> Bool {
        let status = status
        guard status.state != .running, status.state != .waiting else { return false }
        let hour = Calendar.gregorian(in: store.settings.timeZone).component(.hour, from: date)
        guard hour == configuration.learning.hour else { return false }
        let age = status.started.map { Timestamp.milliseconds(date) - $0 } ?? .max
        guard age > 12 * 3_600_000 else { return false }
        return answers() - status.answers >= Self.minimumNewAnswers
    }

    private func answers() -> Int { (try? store.query.questions(.answered, limit: 1) { _ in }.found) ?? 0 }

    /// Begins a round.
    ///
    /// - Throws: ``CommandError`` where one goes on; the error of the child's start.
    package func begin(at date: Date = Date()) throws {
        let folder = models.trainedFolder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = Self.prefix + String(Timestamp.text(date).prefix(19)).replacing(/[^0-9]/, with: "")
        let part = folder.appending(path: name + ".part")
        var arguments = ["learn", "train", "--database", store.path, "--from", configuration.recognition.model]
        arguments += ["--output", part.path, "--name", name, "--json"]
        if !configuration.learning.shared.isEmpty { arguments += ["--shared", configuration.learning.shared] }
        // A model that learned before has seen the older answers.
        if Self.isLearned(modelInUse), let file = models.known()[modelInUse]?.file {
            arguments += ["--in-use", file.path]
        }
        let answers = answers()
        try state.withLock { state in
            guard state.status.state != .running, !state.hasEnded else {
                throw CommandError(.failed, "the node learns already: wait for the end of this round")
            }
            state.lines = []
            state.status = LearningStatus(
                state: .running, model: name, started: Timestamp.milliseconds(date), answers: answers)
        }
        removeParts(in: folder)
        do {
            let command = try OwnCommand(
                arguments, program: program,
                line: { [weak self] line in self?.state.withLock { $0.lines.append(line) } },
                ended: { [weak self] in self?.end(name, part, status: $0, complaint: $1) })
            state.withLock { state in
                if state.status.state == .running { state.command = command }
                if state.hasEnded { command.kill() }
            }
            logger.notice("the node learns from \(answers.counted("answer"))")
        } catch {
            state.withLock { $0.status.state = .failed }
            throw error
        }
    }

    /// Ends a round for good, because the node stops.
    package func shutDown() {
        state.withLock { state in
            state.hasEnded = true
            state.command?.kill()
        }
    }

    /// Chooses the model that waits, for the next start of the node. Call it while nobody exercises.
    ///
    /// - Returns: its name; `nil` where none waits, or it cannot be chosen.
    package func useReady() -> String? {
        guard status.state == .waiting, let model = status.model else { return nil }
        let failure = Result { try models.choose(model) }.failure
        let ended = state.withLock { state in
            state.status.state = failure == nil ? .accepted : .failed
            state.status.message = failure.map { "The model cannot be used: \($0)." }
            return state.status
        }
        save(ended)
        if let failure { logger.error("the model \(model) cannot be used: \(failure)") }
        return failure == nil ? model : nil
    }

    private func end(_ name: String, _ part: URL, status: Int32, complaint: String) {
        let folder = models.trainedFolder
        let refused = folder.appending(path: name + ModelDescription.notReady + ".part")
        let lines = state.withLock { state in
            state.command = nil
            return state.lines
        }
        // Files are moved without the lock: others ask how the round is.
        var ended = self.status
        ended.ended = Timestamp.milliseconds(Date())
        let answer = try? JSONDecoder().decode(JSONValue.self, from: Data(lines.joined(separator: "\n").utf8))
        ended.decision = answer?["decision"]
        switch (status, ended.decision) {
        case (0, .some):
            // A part file that cannot get its name is no model.
            let isKept = rename(part.path, folder.appending(path: name + ".safetensors").path) == 0
            ended.state = isKept ? .waiting : .failed
            if !isKept { ended.message = "The model cannot be kept: \(String(cString: strerror(errno)))." }
        case (1, .some):
            ended.state = .refused
            removeOld(where: { $0.hasSuffix(ModelDescription.notReady) }, keeping: 0)
            _ = rename(refused.path, folder.appending(path: name + ModelDescription.notReady + ".safetensors").path)
        default:
            ended.state = .failed
            let sentence = complaint.replacing("spotter: ", with: "")
            ended.message = sentence.isEmpty ? "The round was ended by signal \(status - 128)." : sentence
        }
        for file in [part, refused] { unlink(file.path) }
        removeOld(where: { !$0.hasSuffix(ModelDescription.notReady) }, keeping: Self.keptModels)
        let isStopping = state.withLock { state in
            state.status = ended
            return state.hasEnded
        }
        // A round that the node's end killed is tried again.
        if !isStopping { save(ended) }
        logger.notice("the node learned from answers: \(Self.words(ended))")
    }

    private static func words(_ status: LearningStatus) -> String {
        switch status.state {
        case .waiting: "the new model is better, and is used once nobody exercises"
        case .refused: "the new model is not better, and is kept beside the one in use"
        default: status.message ?? "there is no new model"
        }
    }

    /// Deletes what a round left that a power cut ended.
    private func removeParts(in folder: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where Self.isPart(name) { unlink(folder.appending(path: name).path) }
    }

    /// Deletes the oldest learned models of a kind. The one in use stays.
    private func removeOld(where isKind: (String) -> Bool, keeping count: Int) {
        let folder = models.trainedFolder
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let names = files.filter { $0.hasSuffix(".safetensors") }.map { String($0.dropLast(".safetensors".count)) }
        let learned = names.filter { Self.isLearned($0) && isKind($0) }.sorted(by: >)
        for name in learned.dropFirst(count) where name != modelInUse {
            unlink(folder.appending(path: name + ".safetensors").path)
        }
    }

    /// Only for the next start of the node: until then the status is in memory.
    private func save(_ status: LearningStatus) {
        guard let text = try? JSONText.encode(status) else { return }
        let file = models.trainedFolder.appending(path: Self.statusFile)
        try? Data(text.utf8).write(to: file, options: .atomic)
    }
}

extension Result {
    /// The error; `nil` for a success.
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
