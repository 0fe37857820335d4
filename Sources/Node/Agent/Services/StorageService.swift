import Capture
import Foundation
import History
import Messaging
import Records
import ServiceLifecycle

/// Maintains the database: deletes old rows, keeps the write-ahead log short, and detects that the file is gone or the
/// clock was set.
struct StorageService: Service {
    static let name = "storage"

    private static let checkInterval = Duration.seconds(5)
    private static let pruneInterval = Duration.seconds(3600)
    /// A shorter interval while the file has reached its largest size.
    private static let pruneIntervalWhenFull = Duration.seconds(60)

    let node: Node
    let reports: CameraStatusBoard
    let storage: StorageMonitor
    let heartbeats: Heartbeats

    func run() async throws {
        defer { heartbeats.end(Self.name) }
        // Deleting may take minutes on a slow card. On its own executor, and in slices, it delays no other service.
        try await withTaskExecutorPreference(SerialTaskExecutor(label: Self.name)) {
            try await cancelWhenGracefulShutdown { try await maintain() }
        }
    }

    /// - Throws: an error that makes the database unusable.
    private func maintain() async throws {
        var isClockKept = ClockState.now() == .synced
        var nextCheck = ContinuousClock.now
        // A run that starts with a full file must not wait an hour for room.
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
                forgetCommands()
            }
            if ContinuousClock.now >= nextPruning {
                await prune()
                let isFull = storage.problem?.code == StorageProblem.diskFull.rawValue
                nextPruning = .now + (isFull ? Self.pruneIntervalWhenFull : Self.pruneInterval)
            }
            do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
        }
    }

    /// Restarts the node the first time the clock is set, once per boot. Opening the history corrects the times stored
    /// before, and the cameras start with the right time.
    private func restartIfClockWasSet() {
        // The times of a recording are corrected at the next start.
        guard !hasRecording else { return }
        do {
            guard try node.store.needsCorrection() else { return }
            node.commands.restart("the clock was set: restarting with the right time")
        } catch {
            node.logger.error("\(error)")
        }
    }

    /// Whether a recording is played. After a restart it would be played and counted twice.
    private var hasRecording: Bool {
        !node.configuration.cameras.allSatisfy(\.isEndless) || reports.all.values.contains { $0.durationSeconds != nil }
    }

    /// Ends the run when the database file is gone, because the open connection cannot switch to another file. The
    /// problem is published in `health`, and ``CommitService`` saves what exists only in this process. A node of
    /// cameras restarts. A node that plays a recording would count it twice, so it fails.
    ///
    /// - Throws: `HistoryError.unreadable`.
    private func checkFile() async throws {
        guard let failure = node.store.failure(of: node.store.fileCondition()) else { return }
        node.logger.error("\(failure)")
        storage.lose("\(failure)")
        // Leave time for the health message to be published.
        try await Task.sleep(for: .seconds(3))
        guard !hasRecording else { throw failure }
        node.commands.restart("the database is not the one that was opened: restarting")
        try await gracefulShutdown()
    }

    /// Deletes what commands left. They may hold a name, so they leave whether or not another command comes.
    private func forgetCommands() {
        do { try node.store.forgetCommands(wall: Date()) } catch { node.logger.debug("\(error)") }
    }

    /// Deletes expired rows in slices, so that commits can run in between, and keeps the write-ahead log short.
    private func prune() async {
        do {
            let consumers = node.configuration.mqtt.publishing.consumers
            var pruning = Store.Pruning(wall: Date(), consumers: consumers.isEmpty ? [RecordLog.broker] : consumers)
            while !pruning.isFinished, !Task.isCancelled {
                heartbeats.beat(Self.name)
                try node.store.pruneSlice(&pruning)
                await Task.yield()
            }
            if pruning.pruned.undelivered > 0 {
                let lost = pruning.pruned.undelivered.counted("record was", "records were")
                node.logger.warning("\(lost) deleted that not every receiver had")
            }
            let unkept = node.writer.takeDroppedPoses()
            if unkept > 0 {
                node.logger.warning(
                    """
                    about \(unkept * 10) s of poses were not kept for lack of room: lower history.keep_poses, or raise \
                    history.maximum_megabytes
                    """)
            }
            if pruning.pruned.total > 0 { node.publisher?.recordsAvailable() }
            try node.store.checkpoint()
        } catch {
            node.logger.error("\(error)")
        }
    }
}
