import Actions
import Capture
import Foundation
import History
import Messaging
import ServiceLifecycle

/// Commits what was recognised to disk in batches, and publishes what each commit stored. Its loop is also the clock of
/// the workouts whose cameras deliver nothing.
struct CommitService: Service {
    static let name = "commits"

    let node: Node
    let storage: StorageMonitor
    let heartbeats: Heartbeats
    func run() async throws {
        node.publisher?.start()
        defer { answerSessionEnds() }
        // SQLite blocks, so it runs on an executor of its own.
        try await withTaskExecutorPreference(SerialTaskExecutor(label: Self.name)) {
            do {
                try await cancelWhenGracefulShutdown { try await commitWhenDue() }
                heartbeats.end(Self.name)
                try commit { try node.writer.flush(now: .now, wall: Date()) }
            } catch {
                storage.lose("\(error)")
                // Leave time for the health message to be published; a cancelled wait is only shorter.
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

    /// - Throws: an error that makes the database unusable.
    private func commitWhenDue() async throws {
        while !Task.isCancelled {
            heartbeats.beat(Self.name)
            node.workouts.pass()
            try commit { try node.writer.commitIfDue(now: .now, wall: Date()) }
            answerSessionEnds()
            do { try await Task.sleep(for: .milliseconds(250)) } catch { return }
        }
    }

    /// Saves what exists only in this process. The store is not closed, because its file is gone.
    private func rescue() throws {
        guard let saved = try node.store.rescue() else { return }
        node.logger.warning("what this node still had of its history is saved in \(saved)")
    }

    private func answerSessionEnds() {
        node.commands.sessionEnds.answer(committed: node.writer.committedBatch, now: .now)
    }

    /// Commits, and publishes what is now on disk. A write error is reported as a problem, because it may pass. A
    /// damaged database ends the run: the next start moves it aside and recovers what can be read.
    private func commit(_ work: () throws -> Commit?) throws {
        do {
            guard let commit = try work() else { return }
            if let past = storage.resolve() {
                let seconds = Int(Date().timeIntervalSince(past.since))
                node.logger.notice("\(past.code) is over after \(seconds) s: what waited in memory is stored")
            }
            publish(commit)
        } catch {
            if case .unreadable = error as? HistoryError, !storage.isLost { throw error }
            if storage.problem == nil { node.logger.error("\(StorageMonitor.told(error))") }
            storage.report(error)
        }
    }

    private func publish(_ commit: Commit) {
        storage.record(commit.sessions)
        guard let publisher = node.publisher else { return }
        for day in commit.days { publisher.counts(day) }
        for event in commit.events.compactMap(CameraEvent.init) { publisher.event(event) }
        for event in commit.workoutEvents { publisher.event(CameraEvent(event)) }
        if commit.records > 0 { publisher.recordsAvailable() }
    }
}

extension CameraEvent {
    /// The event to publish for a session that is now on disk; `nil` for an update of its totals.
    init?(_ event: SessionEvent) {
        let session = event.session
        switch event {
        case .started:
            self.init(
                .sessionStarted, camera: session.camera, ts: session.start, session: session.id,
                action: session.actions.first?.label, zone: session.zone)
        case .updated, .handedOver: return nil
        case .merged(_, let absorbed):
            self.init(
                .sessionMerged, camera: session.camera, ts: session.end, session: session.id, zone: session.zone)
            self.absorbed = absorbed.id
        case .split(_, let moment):
            self.init(.sessionSplit, camera: session.camera, ts: moment, session: session.id, zone: session.zone)
        case .setEnded(let set, _):
            self.init(
                .setCompleted, camera: session.camera, ts: set.end, session: session.id, action: set.label,
                seconds: set.end.timeIntervalSince(set.start), reps: set.reps, zone: set.zone)
        case .ended:
            self.init(
                .sessionEnded, camera: session.camera, ts: session.end, session: session.id,
                topAction: session.actions.max { $0.frames < $1.frames }?.label,
                seconds: session.end.timeIntervalSince(session.start), reason: session.endReason?.rawValue,
                zone: session.zone)
        }
    }
}

/// The last commit failed, so what it contained is lost when the process ends.
public struct StorageFailure: Error, CustomStringConvertible {
    let message: String
    public var description: String { "the last seconds could not be stored: \(message)" }
}
