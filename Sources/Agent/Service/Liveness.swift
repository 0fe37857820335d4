import Synchronization

/// When a camera's chain last went on: what decides whether the watchdog is fed.
///
/// A chain that is not running (off, lost, over) has no steps to make and is not here.
struct CameraStep: Sendable {
    /// A stuck chain is told from a slow one by this.
    static let patience = Duration.seconds(10)

    /// When the last frame was done, or the chain began.
    private(set) var last: ContinuousClock.Instant
    /// A stream over the network may fall silent without being at fault; it is opened again by its own rules.
    private let mayBeSilent: Bool
    /// Frames that nobody took so far; grows while frames arrive.
    private let passedOver: @Sendable () -> Int
    private var passedOverThen: Int

    init(mayBeSilent: Bool, now: ContinuousClock.Instant, passedOver: @escaping @Sendable () -> Int) {
        last = now
        self.mayBeSilent = mayBeSilent
        self.passedOver = passedOver
        passedOverThen = passedOver()
    }

    mutating func advance(_ now: ContinuousClock.Instant) {
        last = now
        passedOverThen = passedOver()
    }

    /// Whether the chain stands still though it should not.
    func isStuck(_ now: ContinuousClock.Instant) -> Bool {
        now - last > Self.patience && (!mayBeSilent || passedOver() > passedOverThen)
    }
}

/// Feeds the watchdog of the service manager, and only while the pipeline goes on.
///
/// It is asked by the loop that carries everything to disk: when that one is held up, nothing is fed either.
struct Watchdog {
    private let manager: ServiceManager
    private var next: ContinuousClock.Instant?
    private var told = ""
    /// Cameras that stood still at the last look.
    private(set) var stuck: [String] = []

    init(_ manager: ServiceManager) { self.manager = manager }

    mutating func look(at reports: [String: CameraReports.Report], problems: Int, now: ContinuousClock.Instant) {
        stuck = reports.filter { $0.value.step?.isStuck(now) ?? false }.keys.sorted()
        if let next, now < next { return }
        let interval = manager.watchdogInterval ?? .seconds(20)
        next = now + interval / 4
        let status = Self.status(of: reports, stuck: stuck, problems: problems)
        if status != told {
            manager.status(status)
            told = status
        }
        if stuck.isEmpty, manager.watchdogInterval != nil { manager.alive() }
    }

    /// One line for `systemctl status`.
    static func status(of reports: [String: CameraReports.Report], stuck: [String], problems: Int) -> String {
        if !stuck.isEmpty { return "stuck: \(stuck.joined(separator: ", "))" }
        let cameras = reports.sorted { $0.key < $1.key }.map { name, report in
            report.step == nil
                ? "\(name): \(report.problem?.code ?? "off")"
                : "\(name): \(Int(report.rateHz.rounded())) frames/s, \(report.label)"
        }
        let trouble = problems > 0 ? ["\(problems) problem\(problems == 1 ? "" : "s"), see: spotter status"] : []
        return (cameras + trouble).joined(separator: "; ")
    }
}
