import Capture
import Foundation
import History
import Messaging
import ServiceLifecycle

/// Publishes the node's health every 30 s, and whenever a problem comes or goes. Signals the watchdog while everything
/// makes progress.
struct HealthService: Service {
    private static let interval = Duration.seconds(30)
    /// Limits the messages when problems come and go in quick succession.
    private static let shortestInterval = Duration.seconds(2)

    let node: Node
    let reports: CameraStatusBoard
    let storage: StorageMonitor
    let heartbeats: Heartbeats
    let manager: ServiceManager
    private let started = ContinuousClock.now

    init(
        node: Node, reports: CameraStatusBoard, storage: StorageMonitor, heartbeats: Heartbeats, manager: ServiceManager
    ) {
        self.node = node
        self.reports = reports
        self.storage = storage
        self.heartbeats = heartbeats
        self.manager = manager
    }

    func run() async throws {
        manager.ready("ready")
        await withTaskExecutorPreference(SerialTaskExecutor(label: "health")) {
            // Only cancellation ends the loop.
            await cancelWhenGracefulShutdown { await watch() }
        }
        if !node.commands.wantsRestart { manager.stopping() }
    }

    private func watch() async {
        var processor = ProcessorTime()
        var watchdog = Watchdog(manager)
        var lastSent: (at: ContinuousClock.Instant, codes: [String])?
        while !Task.isCancelled {
            let (now, problems) = (ContinuousClock.now, problems())
            watchdog.check(at: reports.all, heartbeats: heartbeats, problems: problems.count, now: now)
            let codes = problems.map { "\($0.code) \($0.camera ?? "")" }
            let age = lastSent.map { now - $0.at } ?? .seconds(3600)
            if age >= Self.interval || (age >= Self.shortestInterval && codes != lastSent?.codes) {
                lastSent = (now, codes)
                node.publisher?.health(payload(problems, processorPercent: processor.percent()))
            }
            do { try await Task.sleep(for: .milliseconds(250)) } catch { return }
        }
    }

    private func problems() -> [Problem] {
        [storage.problem, node.commands.problem].compactMap { $0 } + (node.publisher?.report.problems ?? [])
            + reports.all.sorted { $0.key < $1.key }
            .flatMap { $0.value.problems.sorted { $0.key < $1.key }.map(\.value) }
    }

    private func payload(_ problems: [Problem], processorPercent: Double?) -> HealthPayload {
        var payload = HealthPayload(
            ts: Date(), uptimeSeconds: Int((ContinuousClock.now - started).components.seconds), problems: problems,
            cams: reports.all.mapValues(Self.payload))
        payload.cpuPercent = processorPercent
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

    private static func payload(_ report: CameraStatusBoard.Report) -> HealthPayload.Camera {
        let silence = report.lastFrame.map { $0.duration(to: .now).seconds } ?? 0
        // Rates cover the last 2 s, so they are zero after as long without a frame.
        let isSilent = silence > 2
        func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        return HealthPayload.Camera(
            fpsIn: isSilent ? 0 : tenths(report.arrivingHz), fpsProcessed: isSilent ? 0 : tenths(report.rateHz),
            stride: report.skipped.stride, skipped: report.skipped.count, dropped: report.dropped,
            inferMillisecondsP50: tenths(report.inference.quantile(0.5).seconds * 1000),
            inferMillisecondsP95: tenths(report.inference.quantile(0.95).seconds * 1000),
            lastFrameSeconds: tenths(silence))
    }
}
