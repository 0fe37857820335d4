import TOMLSettings
import Capture
import Configuration
import Foundation
import History
import Logging
import Messaging
import Records
import Synchronization

/// Executes the node's commands and SIGHUP, one after the other in the order of arrival.
package final class CommandExecutor: Sendable {
    /// Receives the outcome of one command.
    package typealias Completion = @Sendable (CommandOutcome) -> Void

    /// Which cameras are switched on.
    package let switches: CameraSwitches
    /// The requests to end sessions, which the cameras' pipelines fulfil.
    package let sessionEnds = SessionEndRequests()
    let preview = RemotePreview()
    private let store: Store
    private let alarms: AlarmBoard
    private let models: ModelChoice
    private let levelOverride: LogLevelOverride
    private let logger: Logger
    private let configuration: Configuration
    private let configurationPath: String?
    /// The configuration as read from the file at the start, before command-line flags changed it.
    private let loaded: Configuration
    private let loadedFiles: LoadedFiles
    private struct State {
        var wantsRestart = false
        var configurationProblem: Problem?
        var onRestart: (@Sendable () -> Void)?
        var onSwitch: (@Sendable (_ camera: String) -> Void)?
        var onWorkoutCommand: (@Sendable (WorkoutCommand) -> CommandOutcome)?
    }
    private let state = Mutex(State())
    /// Serial, so that commands take effect in the order of arrival. Commands wait for the disk and read models, so no
    /// other work shares the queue. Messaging limits how many wait: one switch for each camera and 16 others.
    private let queue = DispatchQueue(label: "commands")

    /// Reads the configuration file and the stored switches.
    ///
    /// - Parameter path: the configuration file; `nil` for none.
    /// - Throws: `ConfigurationError`, `HistoryError`.
    package init(
        _ configuration: Configuration, path: String?, store: Store, models: ModelChoice, alarms: AlarmBoard,
        levelOverride: LogLevelOverride,
        logger: Logger
    ) throws {
        self.logger = logger
        self.store = store
        self.models = models
        self.alarms = alarms
        self.levelOverride = levelOverride
        self.configuration = configuration
        configurationPath = path
        loaded = try Self.read(path)
        loadedFiles = LoadedFiles(of: configuration)
        switches = try CameraSwitches(configuration.cameras, store: store)
    }

    /// Whether the process must restart once it has ended.
    package var wantsRestart: Bool { state.withLock { $0.wantsRestart } }

    /// The error in a configuration that failed to load; the node keeps running with the old one.
    package var problem: Problem? { state.withLock { $0.configurationProblem } }

    /// Sets what a restart does.
    package func onRestart(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onRestart = action } }
    /// Sets what follows when a camera was switched.
    package func onSwitch(_ action: @escaping @Sendable (String) -> Void) { state.withLock { $0.onSwitch = action } }

    /// Sets who carries out the commands about workouts.
    func onWorkoutCommand(_ action: @escaping @Sendable (WorkoutCommand) -> CommandOutcome) {
        state.withLock { $0.onWorkoutCommand = action }
    }

    /// Queues a command without waiting.
    ///
    /// - Parameter done: called exactly once: when the command's effect is on disk, or with the reason why it failed. An
    ///   alarm is acknowledged even while the disk fails.
    package func submit(_ command: AgentCommand, done: @escaping Completion) {
        queue.async {
            switch command {
            case .node(let command): self.carryOut(command, done: done)
            case .workout(let command):
                let action = self.state.withLock { $0.onWorkoutCommand }
                done(action?(command) ?? .failure(CommandError(.failed, "the node is starting", retryable: true)))
            }
        }
    }

    /// Queues a command to the node without waiting.
    package func submit(_ command: NodeCommand, done: @escaping Completion) { submit(.node(command), done: done) }

    private func carryOut(_ command: NodeCommand, done: @escaping Completion) {
        switch command {
        case .endSessions(let camera): sessionEnds.request(camera, done: done)
        case .setCamera(let camera, let enabled): done(set(camera, enabled))
        case .acknowledgeAlarm(let id): done(acknowledge(id))
        case .checkConfiguration: done(.success(check()))
        case .preview(let camera, let seconds): done(show(camera, seconds))
        case .setModel(let name): setModel(name, done)
        case .setLogLevel(let level, let seconds): done(setLogLevel(level, seconds))
        case .reload: reload(done)
        case .restart:
            // Answer first, because nothing can answer after the restart.
            done(.success(["restarting": true]))
            restart()
        }
    }

    /// Handles SIGHUP like the command `reload`, in turn with other commands; an error is logged.
    package func hangUp() {
        submit(.reload) { [logger] outcome in
            if case .failure(let error) = outcome { logger.error("\(error.message)") }
        }
    }

    /// Restarts with the configuration from the file, after the answer. The node keeps running when the file is invalid or
    /// nothing has changed, because a restart ends the open sessions.
    private func reload(_ done: Completion) {
        do {
            let isNew = try differs()
            state.withLock { $0.configurationProblem = nil }
            logger.notice(isNew ? "reloading the configuration" : "nothing to reload: nothing has changed")
            done(.success(["restarting": .bool(isNew)]))
            if isNew { restart() }
        } catch {
            let words = Redaction.covered(in: "\(error)")
            let problem = Problem(code: "config_invalid", since: Date(), message: words)
            state.withLock { $0.configurationProblem = problem }
            done(.failure(CommandError(.failed, words)))
        }
    }

    /// Whether the configuration, or a file that it names, has changed since the start.
    ///
    /// - Throws: what keeps the configuration from being read, or its model from being loaded: a node that restarts with
    ///   these would not come back.
    private func differs() throws -> Bool {
        let new = try Self.read(configurationPath)
        guard new != loaded || LoadedFiles(of: configuration) != loadedFiles else { return false }
        // A model that was given on the command line stays.
        let isGiven = configuration.recognition.model != loaded.recognition.model
        _ = try new.classifier(at: URL(filePath: (isGiven ? configuration : new).recognition.model))
        return true
    }

    /// Restarts for a reason of the node's own. Does nothing when a restart is already under way.
    package func restart(_ why: String) {
        guard !wantsRestart else { return }
        logger.notice("\(why)")
        restart()
    }

    private func restart() {
        let action = state.withLock { state in
            state.wantsRestart = true
            return state.onRestart
        }
        action?()
    }

    private func set(_ camera: String, _ enabled: Bool) -> CommandOutcome {
        guard let known = configuration.cameras.first(where: { $0.id == camera }) else {
            let known = configuration.cameras.map(\.id).joined(separator: ", ")
            return .failure(CommandError(.unknownCamera, "no camera '\(camera)'; known: \(known)"))
        }
        do {
            try switches.set(camera, enabled)
        } catch {
            return .failure(CommandError(.failed, "\(error)", retryable: true))
        }
        state.withLock { $0.onSwitch }?(camera)
        var answer: JSONValue = ["camera": .text(camera), "enabled": .bool(enabled), "persisted": true]
        // Nothing reopens a recording that has ended.
        if enabled, !known.isEndless, !sessionEnds.isSupervised(camera) {
            answer = [
                "camera": .text(camera), "enabled": true, "persisted": true, "restart_required": true,
            ]
        }
        return .success(answer)
    }

    private func acknowledge(_ id: String?) -> CommandOutcome {
        let open = alarms.open.filter { id == nil || $0.id == id }
        guard id == nil || !open.isEmpty else {
            return .failure(CommandError(.unknownAlarm, "no open alarm '\(id ?? "")'"))
        }
        let now = Date()
        // Stored before anybody sees it, so that the history agrees with the page. AlarmService tries again what fails here.
        try? store.acknowledge(open, at: now)
        for alarm in open { alarms.acknowledge(alarm.id, at: now) }
        return .success(["acknowledged": .list(open.map { .text($0.id) })])
    }

    private func show(_ camera: String, _ seconds: Int) -> CommandOutcome {
        guard sessionEnds.isPipelineRunning(camera) else {
            return .failure(CommandError(.failed, "\(camera) delivers no frames now", retryable: true))
        }
        preview.wish(camera, seconds: seconds)
        return .success(["camera": .text(camera), "seconds": .integer(Int64(seconds))])
    }

    private func setModel(_ name: String, _ done: (CommandOutcome) -> Void) {
        do {
            try models.choose(name)
        } catch {
            return done(.failure(error as? CommandError ?? CommandError(.failed, "\(error)", retryable: true)))
        }
        done(.success(["model": .text(name), "persisted": true, "restarting": true]))
        restart()
    }

    private func setLogLevel(_ level: String, _ seconds: Int) -> CommandOutcome {
        guard let level = Logger.Level(rawValue: level) else {
            return .failure(CommandError(.invalidArguments, "no level '\(level)'"))
        }
        levelOverride.set(level, for: .seconds(seconds))
        return .success(["level": .text(level.rawValue), "for_s": .integer(Int64(seconds))])
    }

    private func check() -> JSONValue {
        do {
            return ["ok": true, "restart_required": .bool(try differs())]
        } catch {
            return ["ok": false, "problem": .text(Redaction.covered(in: "\(error)")), "restart_required": false]
        }
    }

    private static func read(_ path: String?) throws -> Configuration {
        try Configuration(path: path, environment: ProcessInfo.processInfo.environment)
    }
}
