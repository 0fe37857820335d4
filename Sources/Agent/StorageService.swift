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
    let reports: CameraReports
    let storage: StorageMonitor
    let heartbeats: Heartbeats

    func run() async throws {
        defer { heartbeats.end(Self.name) }
        // Deleting may take minutes on a slow card: on an executor of its own, in slices, it holds up nobody.
        try await withTaskExecutorPreference(InferenceQueue(label: Self.name)) {
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
        // A recording would be seen and counted twice; its rows are corrected at the next start.
        guard reports.all.values.allSatisfy({ $0.durationSeconds == nil }) else { return }
        do {
            guard try node.store.needsCorrection() else { return }
            node.commands.beginAnew("the clock was set: beginning anew with the right time")
        } catch {
            node.logger.error("\(error)")
        }
    }

    private func checkFile() async throws {
    }

    /// Deletes what is old enough, and keeps the write-ahead log short.
    private func prune() async {
        do {
            let consumers = node.configuration.mqtt.consumers
            let pruned = try node.store.prune(
                wall: Date(), consumers: consumers.isEmpty ? [RecordLog.broker] : consumers)
            if pruned.undelivered > 0 {
                node.logger.warning("\(pruned.undelivered) records were deleted before every receiver had them")
            }
            if pruned.total > 0 { node.publisher?.recordsAvailable() }
            try node.store.checkpoint()
        } catch {
            node.logger.error("\(error)")
        }
    }
}
