import Actions
import Foundation
import History
import Messaging
import ServiceLifecycle

/// Carries what was seen to disk, and from there to the broker; and says every 30 s that the node is alive.
struct PublishingService: Service {
    let node: Node
    let reports: CameraReports
    private let started = ContinuousClock.now
    private let manager: ServiceManager

    init(node: Node, reports: CameraReports, manager: ServiceManager) {
        self.manager = manager
        self.node = node
        self.reports = reports
    }

    func run() async throws {
        node.publisher?.start()
        manager.ready("ready")
        defer { node.control.sessions.answer(hasPending: false) }
        var problem: Problem?
        do {
            problem = try await cancelWhenGracefulShutdown { try await watch() }
            if !node.control.wantsRestart { manager.stopping() }
            problem = try commit(problem) { try node.writer.flush(now: .now, wall: Date()) }
        } catch {
            await node.publisher?.stop()
            throw error
        }
        await node.publisher?.stop()
        try node.store.close()
        if let problem { throw StorageFailure(message: problem.message ?? problem.code) }
    }

    /// Commits when it is due, and sends the heartbeat, until the node stops; returns the storage's problem, if any.
    ///
    /// - Throws: what makes the database of no use any more.
    private func watch() async throws -> Problem? {
        var problem: Problem?
        var nextHealth = ContinuousClock.now
        var processor = ProcessorTime()
        var isClockKept = ClockState.now() == .synced
        var watchdog = Watchdog(manager)
        // A run that begins with a full file must not wait an hour for room.
        var nextTidying = ContinuousClock.now + .seconds(60)
        while !Task.isCancelled {
            problem = try commit(problem) { try node.writer.commitIfDue(now: .now, wall: Date()) }
            node.control.sessions.answer(hasPending: node.writer.hasPending)
            if !isClockKept, ClockState.now() == .synced {
                isClockKept = true
                beginAnewIfClockWasSet()
            }
            watchdog.look(at: reports.all, problems: problems(problem).count, now: .now)
            if ContinuousClock.now >= nextHealth {
                nextHealth = .now + .seconds(30)
                var payload = health(problem)
                payload.cpuPercent = processor.percent()
                node.publisher?.health(payload)
            }
            // A file that reached its largest size can be helped at once.
            let isFull = problem?.code == StorageProblem.diskFull.rawValue
            if ContinuousClock.now >= nextTidying {
                nextTidying = .now + .seconds(isFull ? 60 : 3600)
                tidy()
            }
            do { try await Task.sleep(for: .milliseconds(250)) } catch { break }
        }
        return problem
    }

    /// What was stored before the clock was set is corrected when the history is opened, and cameras begin with the
    /// right time: so the first time the clock is set the node begins anew, once in a boot.
    private func beginAnewIfClockWasSet() {
        // A recording would be seen and counted twice; its rows are corrected at the next start.
        guard reports.all.values.allSatisfy({ $0.durationSeconds == nil }) else { return }
        do {
            guard try node.store.needsCorrection() else { return }
            node.control.beginAnew("the clock was set: beginning anew with the right time")
        } catch {
            node.logger.error("\(error)")
        }
    }

    /// Deletes what is old enough, and keeps the write-ahead log short.
    private func tidy() {
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

    /// Commits, and tells what is now on disk. A disk that takes nothing is a problem that may pass; a database that is
    /// no longer one is the end: the next start moves it aside and saves what can be read.
    private func commit(_ before: Problem?, _ work: () throws -> Commit?) throws -> Problem? {
        do {
            guard let commit = try work() else { return before }
            tell(commit)
            return nil
        } catch {
            if case .unreadable = error as? HistoryError { throw error }
            if before == nil { node.logger.error("\(error)") }
            let code =
                if case .storage(let problem, _, _) = error as? HistoryError { problem } else { StorageProblem.failing }
            return Problem(code: code.rawValue, since: before?.since ?? Date(), message: "\(error)")
        }
    }

    private func tell(_ commit: Commit) {
        guard let publisher = node.publisher else { return }
        for day in commit.days { publisher.counts(day) }
        for session in commit.sessions {
            guard let reason = session.endReason else { continue }
            let top = session.actions.max { $0.frames < $1.frames }
            publisher.event(
                CameraEvent(
                    .sessionEnded, camera: session.camera, ts: session.end, session: session.id,
                    topAction: top?.label, seconds: session.end.timeIntervalSince(session.start),
                    reason: reason.rawValue))
        }
        if commit.records > 0 { publisher.recordsAvailable() }
    }

    private func problems(_ storage: Problem?) -> [Problem] {
        [storage, node.control.problem].compactMap { $0 } + (node.publisher?.report.problems ?? [])
            + reports.all.sorted { $0.key < $1.key }
            .flatMap { $0.value.problems.sorted { $0.key < $1.key }.map(\.value) }
    }

    private func health(_ storage: Problem?) -> HealthPayload {
        var payload = HealthPayload(
            ts: Date(), uptimeSeconds: Int((ContinuousClock.now - started).components.seconds),
            problems: problems(storage), cams: reports.all.mapValues(Self.health))
        payload.memoryMB = Host.memoryMB
        payload.load1 = Host.load1
        payload.temperatureCelsius = Host.temperatureCelsius
        payload.throttled = Host.isThrottled
        payload.commits = node.store.commits
        payload.writtenMB = Host.writtenMB
        payload.diskFreeMB = Host.diskFreeMB(at: node.store.path)
        payload.databaseMB = Host.megabytes(of: node.store.path)
        payload.walMB = Host.megabytes(of: node.store.path + "-wal")
        let clock = ClockReading.now()
        payload.clock = HealthPayload.Clock(state: clock.state.rawValue, offsetMilliseconds: clock.offsetMs)
        return payload
    }

    private static func health(_ report: CameraReports.Report) -> HealthPayload.Camera {
        let silence = report.lastFrame.map { $0.duration(to: .now).seconds } ?? 0
        // A rate is of the last seconds: after as many without a frame it is nought.
        let isSilent = silence > 2
        func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        return HealthPayload.Camera(
            fpsIn: isSilent ? 0 : tenths(report.arrivingHz), fpsProcessed: isSilent ? 0 : tenths(report.rateHz),
            stride: report.thinning.stride, skipped: report.thinning.skippedFrames, dropped: report.dropped,
            inferMillisecondsP50: tenths(report.inference.quantile(0.5).seconds * 1000),
            inferMillisecondsP95: tenths(report.inference.quantile(0.95).seconds * 1000),
            lastFrameSeconds: tenths(silence))
    }
}

/// The last commit failed; what it held is lost with the process.
public struct StorageFailure: Error, CustomStringConvertible {
    let message: String
    public var description: String { "the last seconds could not be stored: \(message)" }
}
