import Actions
import Agent
import Foundation
import HTTPServing
import Glibc
import Logging
import Records
import Synchronization

/// Trains a model from the recorded clips, in a child process of low priority. One training at a time.
///
/// The child writes a part file, which gets the model's name only if no file has it: a training never replaces a model.
package final class TrainingRun: Sendable {
    /// The most models that are trained and kept on a node.
    package static let maximumModels = 50

    private struct State {
        var status: TrainingStatus
        /// Whether a child runs, is being started, or has just ended.
        var isRunning = false
        /// `nil` until the child has started.
        var command: OwnCommand?
        var hasEnded = false
    }

    /// The folder of the models.
    private let folder: URL
    private let clips: URL
    private let program: [String]
    private let logger: Logger
    private let state: Mutex<State>

    /// No training yet.
    ///
    /// - Parameters:
    ///   - folder: where the models go; made when it is needed.
    ///   - clips: the folder of clips.
    ///   - program: the start of the command line.
    package init(folder: URL, clips: URL, program: [String] = OwnCommand.program, logger: Logger) {
        (self.folder, self.clips, self.program, self.logger) = (folder, clips, program, logger)
        // The figures outlive the restart with which a model is taken into use. Without them the page shows none.
        let data = try? Data(contentsOf: folder.appending(path: Self.statusFile))
        let last = data.flatMap { try? JSONDecoder().decode(TrainingStatus.self, from: $0) }
        state = Mutex(State(status: last ?? TrainingStatus()))
    }

    private static let statusFile = "last-training.json"

    /// The training that runs or ran last.
    package var status: TrainingStatus { state.withLock { $0.status } }

    /// Whether one is running.
    package var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Checks that a restart of the node would end no training.
    ///
    /// - Throws: ``WebFailure`` when one is running.
    func checkRestart() throws {
        guard !isRunning else {
            throw WebFailure(.conflict, "training", "The restart would end the training: wait for its end, or stop it.")
        }
    }

    /// Starts a training.
    ///
    /// - Parameters:
    ///   - name: the new model's name.
    ///   - start: the model to train further; `nil` to begin with nothing.
    ///   - isTaught: whether the clips are filmed again, as for `spotter teach`. This takes a model to train further.
    ///   - known: the names of all models.
    /// - Throws: ``WebFailure`` when one is running, or the name is not free; the error of the child's start.
    package func start(
        _ name: String, from start: (name: String, file: URL)?, isTaught: Bool = false, known: Set<String>
    ) throws {
        guard name.wholeMatch(of: /[a-z][a-z0-9_-]{0,39}/) != nil else {
            throw WebFailure(
                .badRequest, "bad_name",
                "A model's name takes 1 to 40 lower-case letters, digits, '-' and '_', and begins with a letter.")
        }
        guard !name.hasSuffix(ModelDescription.notReady) else {
            throw WebFailure(
                .badRequest, "bad_name",
                "'\(ModelDescription.notReady)' marks models that are not ready: choose another name.")
        }
        guard !known.contains(name), !FileManager.default.fileExists(atPath: file(name).path) else {
            throw WebFailure(.conflict, "name_taken", "There is a model '\(name)' already: choose another name.")
        }
        try makeFolder()
        let part = folder.appending(path: name + ".part")
        var arguments = isTaught ? ["teach", "--kept", clips.path] : ["train", clips.path]
        arguments += ["-o", part.path, "--name", name, "--force", "--progress", "json"]
        // With the usual share of 0.2, one of only two people would be too many to hold out.
        if !isTaught { arguments += ["--validation", "0.3"] }
        if let start { arguments += ["--from", start.file.path] }
        let before = try state.withLock { state in
            guard !state.isRunning, !state.hasEnded else {
                throw WebFailure(.conflict, "training", "A training is running: wait for its end, or stop it.")
            }
            state.isRunning = true
            defer {
                state.status = TrainingStatus(
                    state: .running, model: name, from: start?.name, started: Timestamp.milliseconds(Date()))
            }
            return state.status
        }
        try startChild(arguments, name, part, before)
        logger.notice("the page trains the model \(name)")
    }

    /// Starts the child without holding the lock: that takes a while, and others ask how the training is.
    ///
    /// - Parameter before: the status to go back to when it cannot be started.
    private func startChild(_ arguments: [String], _ name: String, _ part: URL, _ before: TrainingStatus) throws {
        do {
            let command = try OwnCommand(
                arguments, program: program, line: { [weak self] line in self?.take(line) },
                ended: { [weak self] in self?.end(name, part, status: $0, complaint: $1) })
            // It may have ended already, and a person may have asked it to meanwhile.
            state.withLock { state in
                guard state.isRunning else { return }
                state.command = command
                if state.status.state == .stopping { command.interrupt() }
                if state.hasEnded { command.kill() }
            }
        } catch {
            state.withLock { state in (state.isRunning, state.status) = (false, before) }
            throw error
        }
    }

    /// Asks the training to end; the best model so far is kept.
    ///
    /// - Throws: ``WebFailure`` when none is running.
    package func stop() throws {
        try state.withLock { state in
            guard state.isRunning else { throw WebFailure(.conflict, "no_training", "No training is running.") }
            // A second signal would end the program before it has written the model.
            guard state.status.state == .running else { return }
            state.status.state = .stopping
            state.command?.interrupt()
        }
    }

    /// Ends the training at once and for good, because the node stops. Nothing of it is kept.
    package func shutDown() {
        state.withLock { state in
            state.hasEnded = true
            state.command?.kill()
        }
    }

    private func file(_ name: String) -> URL { folder.appending(path: name + ".safetensors") }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard names.count(where: { $0.hasSuffix(".safetensors") }) < Self.maximumModels else {
            throw WebFailure(
                .conflict, "models_full",
                "\(Self.maximumModels) models were trained on this node: delete some of \(folder.path).")
        }
        // Left behind by a node that lost its power.
        for part in names where part.hasSuffix(".part") && !isRunning && !LearningRun.isPart(part) {
            try FileManager.default.removeItem(at: folder.appending(path: part))
        }
    }

    private func take(_ line: String) { state.withLock { $0.status.take(line) } }

    private func end(_ name: String, _ part: URL, status: Int32, complaint: String) {
        // A model that is not ready has a name of its own, so that nobody takes it for the one that was asked for.
        let isReady = self.status.verdict?.isReady != false
        var message = status == 0 ? keep(part, as: name, isReady: isReady) : Self.reason(status, complaint)
        let name = isReady ? name : name + ModelDescription.notReady
        if status != 0, state.withLock({ $0.hasEnded }) { message = "The node stopped, and the training with it." }
        unlink(part.path)
        var ended = self.status
        ended.model = name
        ended.state = message == nil ? .done : .failed
        ended.message = message
        ended.secondsLeft = nil
        ended.ended = Timestamp.milliseconds(Date())
        logger.notice(
            "the training of \(name) has ended: \(message ?? (isReady ? "the model is ready" : "the model is not ready"))"
        )
        // Only for the next start of the node; the page has the figures either way.
        try? Data(JSONText.encode(ended).utf8).write(to: folder.appending(path: Self.statusFile), options: .atomic)
        state.withLock { state in (state.isRunning, state.command, state.status) = (false, nil, ended) }
    }

    /// Gives the finished file its name, unless another file has got it meanwhile. Of models that are not ready only the
    /// newest stays, until one of that name is ready.
    ///
    /// - Returns: why that failed.
    private func keep(_ part: URL, as name: String, isReady: Bool) -> String? {
        let unready = file(name + ModelDescription.notReady).path
        let isKept = isReady ? link(part.path, file(name).path) == 0 : rename(part.path, unready) == 0
        guard isKept else {
            return "The model cannot be kept as '\(name)': \(String(cString: strerror(errno))). Choose another name."
        }
        if isReady { unlink(unready) }
        return nil
    }

    private static func reason(_ status: Int32, _ complaint: String) -> String {
        let sentence = complaint.replacing("spotter: ", with: "")
        if !sentence.isEmpty, status < 128 { return sentence }
        return "The training was ended by signal \(status - 128), perhaps for lack of memory: use fewer clips."
    }
}
