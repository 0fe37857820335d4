import Agent
import Foundation
import History
import Messaging
import Testing

@Suite struct StorageMonitorTests {
    private let monitor = StorageMonitor()
    private let noon = SinkFixture.origin

    private func full() -> HistoryError { .storage(.diskFull, path: "spotter.db", reason: "disk full") }

    @Test func `a continuing problem keeps its start time and shows its latest message`() {
        monitor.report(full(), at: noon)
        monitor.report(CocoaError(.fileWriteUnknown), at: noon + 60)
        #expect(monitor.problem?.code == "storage_error" && monitor.problem?.since == noon)
        monitor.report(full(), at: noon + 120)
        #expect(monitor.problem?.code == "disk_full" && monitor.problem?.since == noon)
    }

    @Test func `a write that succeeds ends the problem, and the next one begins anew`() {
        monitor.report(full(), at: noon)
        monitor.resolve()
        #expect(monitor.problem == nil)
        monitor.report(full(), at: noon + 60)
        #expect(monitor.problem?.since == noon + 60)
    }

    @Test func `a lost database stays lost, whatever is written or fails after it`() {
        monitor.lose("it is gone", at: noon)
        monitor.report(full(), at: noon + 1)
        monitor.resolve()
        #expect(monitor.isLost && monitor.problem?.code == "database_lost")
        #expect(monitor.problem?.message == "it is gone" && monitor.problem?.since == noon)
    }

    @Test func `a session is stored from the commit of its beginning to that of its end`() {
        #expect(!monitor.isStored("s1"))
        monitor.record([SinkFixture.session("s1"), SinkFixture.session("s2")])
        #expect(monitor.isStored("s1") && monitor.isStored("s2"))
        monitor.record([SinkFixture.session("s1", reason: .stopped)])
        #expect(!monitor.isStored("s1") && monitor.isStored("s2"))
    }
}
