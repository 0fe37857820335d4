import Capture
import Messaging
import ServiceLifecycle

/// Publishes the node's health every 30 s, 5 s after the start, and whenever a problem comes or goes. Signals the
/// watchdog while everything makes progress. Publishes how many people there are.
struct HealthService: Service {
    private static let interval = Duration.seconds(30)
    /// The first message knows no rates yet, so the second one follows soon.
    private static let firstInterval = Duration.seconds(5)
    private static let hour = Duration.seconds(3600)
    /// Limits the messages when problems come and go in quick succession.
    private static let shortestInterval = Duration.seconds(2)

    let node: Node
    let reports: CameraStatusBoard
    let heartbeats: Heartbeats
    let manager: ServiceManager
    private let health: NodeHealth

    init(
        node: Node, reports: CameraStatusBoard, heartbeats: Heartbeats, manager: ServiceManager, health: NodeHealth
    ) {
        self.node = node
        self.reports = reports
        self.health = health
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
        var interval = Self.firstInterval
        var hourBegan = ContinuousClock.now
        var occupancy: (payload: OccupancyPayload, at: ContinuousClock.Instant)?
        while !Task.isCancelled {
            let (now, problems) = (ContinuousClock.now, health.problems())
            watchdog.check(at: reports.all, heartbeats: heartbeats, problems: problems.count, now: now)
            let codes = problems.map { "\($0.code) \($0.camera ?? "")" }
            let age = lastSent.map { now - $0.at } ?? .seconds(3600)
            if age >= interval || (age >= Self.shortestInterval && codes != lastSent?.codes) {
                if lastSent != nil { interval = Self.interval }
                lastSent = (now, codes)
                node.publisher?.health(health.payload(problems, processorPercent: processor.percent()))
                FreedMemory.giveBack()
            }
            let full = node.occupancy(reports)
            if occupancy.map({ full.differs(from: $0.payload) || now - $0.at >= Self.interval }) != false {
                occupancy = (full, now)
                node.publisher?.occupancy(full)
            }
            if now - hourBegan >= Self.hour {
                let seconds = (now - hourBegan) / .seconds(1)
                let line = node.journalHour.line(reports.all, seconds: seconds, waiting: health.waitingRecords)
                node.logger.info("\(line)")
                hourBegan = now
            }
            do { try await Task.sleep(for: .milliseconds(250)) } catch { return }
        }
    }
}
