import Actions
import Capture
import Foundation
import History
import Messaging
import ServiceLifecycle

/// Writes what was seen to disk, in batches, and publishes what each commit stored.
struct CommitService: Service {
    static let name = "commits"

    let node: Node
    let storage: StorageMonitor
    let heartbeats: Heartbeats

    func run() async throws {
        node.publisher?.start()
        defer { answerSessionEnds() }
        // SQLite blocks: on an executor of its own it holds up nobody else.
        try await withTaskExecutorPreference(InferenceExecutor(label: Self.name)) {
            do {
                try await cancelWhenGracefulShutdown { try await commitWhenDue() }
                heartbeats.end(Self.name)
                try commit { try node.writer.flush(now: .now, wall: Date()) }
            } catch {
                storage.lose("\(error)")
                // Until health is published and sent; a cancelled wait is only shorter.
                try? await Task.sleep(for: .seconds(3))
                heartbeats.end(Self.name)
                await node.publisher?.stop()
                throw error
            }
            answerSessionEnds()
            await node.publisher?.stop()
            if storage.isLost { return try rescue() }
            try node.store.close()
        }
        if !storage.isLost, let problem = storage.problem {
            throw StorageFailure(message: problem.message ?? problem.code)
        }
    }

    /// - Throws: what makes the database of no use any more.
    private func commitWhenDue() async throws {
        while !Task.isCancelled {
            heartbeats.beat(Self.name)
            try commit { try node.writer.commitIfDue(now: .now, wall: Date()) }
            answerSessionEnds()
            do { try await Task.sleep(for: .milliseconds(250)) } catch { return }
        }
    }

    /// Writes down what only this process still has; the store is not closed, since its file is gone.
    private func rescue() throws {
        guard let saved = try node.store.rescue() else { return }
        node.logger.warning("what this node still had of its history is saved in \(saved)")
    }

    private func answerSessionEnds() {
        node.commands.sessionEnds.answer(committed: node.writer.committedBatch, now: .now)
    }

    /// Commits, and publishes what is now on disk. A disk that takes nothing is a problem that may pass; a database
    /// that is no longer one is the end: the next start moves it aside and saves what can be read.
    private func commit(_ work: () throws -> Commit?) throws {
        do {
            guard let commit = try work() else { return }
            storage.resolve()
            publish(commit)
        } catch {
            if case .unreadable = error as? HistoryError, !storage.isLost { throw error }
            if storage.problem == nil { node.logger.error("\(error)") }
            storage.report(error)
        }
    }

    private func publish(_ commit: Commit) {
        storage.record(commit.sessions)
        guard let publisher = node.publisher else { return }
        for day in commit.days { publisher.counts(day) }
        for event in commit.events.compactMap(CameraEvent.init) { publisher.event(event) }
        if commit.records > 0 { publisher.recordsAvailable() }
    }
}

extension CameraEvent {
    /// What is announced of a session once it is on disk; `nil` for what only changes its totals.
    init?(_ event: SessionEvent) {
        let session = event.session
        switch event {
        case .started:
            self.init(
                .sessionStarted, camera: session.camera, ts: session.start, session: session.id,
                action: session.actions.first?.label)
        case .updated: return nil
        case .setEnded(let set, _):
            self.init(
                .setCompleted, camera: session.camera, ts: set.end, session: session.id, action: set.label,
                seconds: set.end.timeIntervalSince(set.start), reps: set.reps)
        case .ended:
            self.init(
                .sessionEnded, camera: session.camera, ts: session.end, session: session.id,
                topAction: session.actions.max { $0.frames < $1.frames }?.label,
                seconds: session.end.timeIntervalSince(session.start), reason: session.endReason?.rawValue)
        }
    }
}

/// The last commit failed; what it held is lost with the process.
public struct StorageFailure: Error, CustomStringConvertible {
    let message: String
    public var description: String { "the last seconds could not be stored: \(message)" }
}
