import Agent
import Foundation
import TestSupport
import Testing

/// Tests when the watchdog signal is sent, with a test clock.
@Suite struct WatchdogTests {
    private let folder: TemporaryFolder
    private let notifications: NotifySocket
    private let heartbeats = Heartbeats()
    private let reports = CameraStatusBoard()
    private let start = ContinuousClock.now

    init() throws {
        folder = try TemporaryFolder()
        notifications = try NotifySocket(in: folder.url)
    }

    private func watchdog(_ more: [String: String] = ["WATCHDOG_USEC": "20000000"]) -> Watchdog {
        let environment = ["NOTIFY_SOCKET": notifications.path].merging(more) { _, new in new }
        return Watchdog(ServiceManager(environment: environment))
    }

    /// The messages that the watchdog sends at a time in seconds.
    private func told(_ watchdog: inout Watchdog, at second: Int, problems: Int = 0) -> [String] {
        watchdog.check(at: reports.all, heartbeats: heartbeats, problems: problems, now: start + .seconds(second))
        return notifications.drain()
    }

    private func detector() -> StallDetector { StallDetector(mayBeSilent: false, now: start) { 0 } }

    @Test func `while nothing is stuck the signal comes four times in an interval`() {
        var watchdog = watchdog()
        let seconds = (0...20).filter { told(&watchdog, at: $0) == ["WATCHDOG=1"] }
        #expect(seconds == [0, 5, 10, 15, 20])
    }

    @Test func `a stuck service is named and stops the signal until it continues`() {
        var watchdog = watchdog()
        heartbeats.beat("commits", now: start)
        #expect(told(&watchdog, at: 10) == ["WATCHDOG=1"])
        #expect(told(&watchdog, at: 15) == ["STATUS=stuck: commits"])
        #expect(watchdog.stuck == ["commits"])
        heartbeats.beat("commits", now: start + .seconds(18))
        #expect(told(&watchdog, at: 20) == ["STATUS=", "WATCHDOG=1"])
        #expect(watchdog.stuck == [])
    }

    @Test func `a camera that is stuck counts, while it runs and while it is opened`() {
        var watchdog = watchdog()
        reports.update("rack1") { $0.step = detector() }
        reports.update("rack2") { $0.opening = detector() }
        reports.update("rack3") { _ in }
        #expect(told(&watchdog, at: 11) == ["STATUS=stuck: rack1, rack2"])
        reports.update("rack1") { $0.step?.advance(start + .seconds(15)) }
        reports.update("rack2") { $0.opening = nil }
        let last = told(&watchdog, at: 16)
        #expect(last.contains("WATCHDOG=1"))
    }

    @Test(arguments: [[:], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"]])
    func `without a watchdog of its own the process sends its state but no signal`(environment: [String: String]) {
        var watchdog = watchdog(environment)
        #expect(told(&watchdog, at: 0, problems: 1) == ["STATUS=1 problem, see: spotter status"])
        #expect(told(&watchdog, at: 60, problems: 1) == [], "the same again is no news")
    }

    @Test func `the state names each camera, its activity and the number of problems`() {
        reports.update("rack1") { _ in }
        reports.update("rack2") { ($0.step, $0.rateHz, $0.label) = (detector(), 29.6, "squat") }
        let status = Watchdog.status(of: reports.all, stuck: [], problems: 2)
        #expect(status == "rack1: off; rack2: 30 frames/s, squat; 2 problems, see: spotter status")
    }
}
