import Capture
import Foundation
import History
import Messaging
import ServiceLifecycle

/// Looks after the database: deletes what is old, keeps the write-ahead log short, and notices when the file is gone or
/// the clock was set.
struct StorageService: Service {
    static let name = "storage"

    private static let checkInterval = Duration.seconds(5)
    private static let pruneInterval = Duration.seconds(3600)
    /// A file that reached its largest size can be helped at once.
    private static let pruneIntervalWhenFull = Duration.seconds(60)

    let node: Node
    let reports: CameraStatusBoard
    let storage: StorageMonitor
    let heartbeats: Heartbeats

    func run() async throws {
        defer { heartbeats.end(Self.name) }
        // Deleting may take minutes on a slow card: on an executor of its own, in slices, it holds up nobody.
        try await withTaskExecutorPreference(InferenceExecutor(label: Self.name)) {
            try await cancelWhenGracefulShutdown { try await maintain() }
        }
    }

    /// - Throws: what makes the database of no use any more.
    private func maintain() async throws {
        var isClockKept = ClockState.now() == .synced
        var nextCheck = ContinuousClock.now
        // A run that begins with a full file must not wait an hour for room.
        var nextPruning = ContinuousClock.now + .seconds(60)
        while !Task.isCancelled {
            heartbeats.beat(Self.name)
            if !isClockKept, ClockState.now() == .synced {
                isClockKept = true
                restartIfClockWasSet()
            }
            if ContinuousClock.now >= nextCheck {
                nextCheck = .now + Self.checkInterval
                try await checkFile()
            }
            if ContinuousClock.now >= nextPruning {
                await prune()
                let isFull = storage.problem?.code == StorageProblem.diskFull.rawValue
                nextPruning = .now + (isFull ? Self.pruneIntervalWhenFull : Self.pruneInterval)
            }
            do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
        }
    }

    /// What was stored before the clock was set is corrected when the history is opened, and cameras begin with the
    /// right time: so the first time the clock is set the node begins anew, once in a boot.
    private func restartIfClockWasSet() {
        // The rows of a recording are corrected at the next start.
        guard !hasRecording else { return }
        do {
            guard try node.store.needsCorrection() else { return }
            node.commands.restart("the clock was set: beginning anew with the right time")
        } catch {
            node.logger.error("\(error)")
        }
    }

    /// Whether something is played that has an end: a node that begins anew would see and count it twice.
    private var hasRecording: Bool {
        !node.configuration.cameras.allSatisfy(\.isEndless) || reports.all.values.contains { $0.durationSeconds != nil }
    }

    /// A database that is gone is said in `health`, and is the end of this run: the open connection cannot change its
    /// file. ``CommitService`` saves what only this process still has. A node of cameras begins anew; one that plays a
    /// recording would count it twice, so it fails.
    ///
    /// - Throws: `HistoryError.unreadable`.
    private func checkFile() async throws {
        guard let failure = node.store.failure(of: node.store.fileCondition()) else { return }
        node.logger.error("\(failure)")
        storage.lose("\(failure)")
        // Until health is published and sent.
        try await Task.sleep(for: .seconds(3))
        guard !hasRecording else { throw failure }
        node.commands.restart("the database is not the one that was opened: beginning anew")
        try await gracefulShutdown()
    }

    /// Deletes what is old enough, in slices between which commits go on, and keeps the write-ahead log short.
    private func prune() async {
        do {
            let consumers = node.configuration.mqtt.consumers
            var pruning = Store.Pruning(wall: Date(), consumers: consumers.isEmpty ? [RecordLog.broker] : consumers)
            while !pruning.isFinished, !Task.isCancelled {
                heartbeats.beat(Self.name)
                try node.store.pruneSlice(&pruning)
                await Task.yield()
            }
            if pruning.pruned.undelivered > 0 {
                node.logger.warning("\(pruning.pruned.undelivered) records were deleted before every receiver had them")
            }
            if pruning.pruned.total > 0 { node.publisher?.recordsAvailable() }
            try node.store.checkpoint()
        } catch {
            node.logger.error("\(error)")
        }
    }
}
