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

    mutating func look(
        at reports: [String: CameraReports.Report], problems: @autoclosure () -> Int, now: ContinuousClock.Instant
    ) {
        let interval = manager.watchdogInterval ?? .seconds(20)
        // What stands still is found before half the time is over: the service manager acts within one and a half.
        stuck = reports.filter { _, report in
            (report.step ?? report.opening)?.isStuck(now, patience: interval / 2) ?? false
        }.keys.sorted()
        if let next, now < next { return }
        next = now + interval / 4
        let status = Self.status(of: reports, stuck: stuck, problems: problems())
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
                ? "\(name): \(report.problems.keys.sorted().first ?? "off")"
                : "\(name): \(Int(report.rateHz.rounded())) frames/s, \(report.label)"
        }
        let trouble = problems > 0 ? ["\(problems) problem\(problems == 1 ? "" : "s"), see: spotter status"] : []
        return (cameras + trouble).joined(separator: "; ")
    }
}
