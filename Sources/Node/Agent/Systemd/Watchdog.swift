import Records

/// Signals the service manager's watchdog, but only while every camera and every service makes progress.
package struct Watchdog {
    private let manager: ServiceManager
    private var next: ContinuousClock.Instant?
    private var lastStatus = ""
    /// Cameras and services that made no progress at the last check.
    package private(set) var stuck: [String] = []

    /// A watchdog that has not been signalled yet.
    package init(_ manager: ServiceManager) { self.manager = manager }

    /// Looks for what is stuck, and tells the service manager when a quarter of its interval has passed.
    ///
    /// - Parameter problems: the number of the node's problems.
    package mutating func check(
        at reports: [String: CameraStatusBoard.Report], heartbeats: Heartbeats, problems: @autoclosure () -> Int,
        now: ContinuousClock.Instant
    ) {
        let interval = manager.watchdogInterval ?? .seconds(20)
        // Half the interval leaves time to report what is stuck: the service manager kills the process within one and a
        // half intervals of the last progress.
        stuck =
            reports.filter { _, report in
                (report.step ?? report.opening)?.isStuck(now, patience: interval / 2) ?? false
            }.keys.sorted() + heartbeats.stuck(now, patience: interval / 2)
        if let next, now < next { return }
        next = now + interval / 4
        let status = Self.status(of: reports, stuck: stuck, problems: problems())
        if status != lastStatus {
            manager.status(status)
            lastStatus = status
        }
        if stuck.isEmpty, manager.watchdogInterval != nil { manager.alive() }
    }

    /// One line for `systemctl status`.
    package static func status(of reports: [String: CameraStatusBoard.Report], stuck: [String], problems: Int) -> String
    {
        if !stuck.isEmpty { return "stuck: \(stuck.joined(separator: ", "))" }
        let cameras = reports.sorted { $0.key < $1.key }.map { name, report in
            report.step == nil
                ? "\(name): \(report.problems.keys.sorted().first ?? "off")"
                : "\(name): \(Int(report.rateHz.rounded())) frames/s, \(report.label)"
        }
        let trouble = problems > 0 ? ["\(problems.counted("problem")), see: spotter status"] : []
        return (cameras + trouble).joined(separator: "; ")
    }
}
