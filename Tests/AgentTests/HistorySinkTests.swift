import Actions
import Agent
import Foundation
import History
import Messaging
import Synchronization
import TestSupport
import Testing

@Suite struct HistorySinkTests {
    private let folder: TemporaryFolder
    private let writer: HistoryWriter
    private let store: Store
    private let requests = SessionEndRequests()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("spotter.db").path)
        writer = try HistoryWriter(store: store, model: ModelStamp(id: "test@1", framesPerSecond: 30))
    }

    private func sink() -> HistorySink {
        HistorySink(camera: "rack1", writer: writer, reports: CameraStatusBoard(), sessionEnds: requests)
    }

    @Test func `a camera's results are on disk after the commit, which announces them`() throws {
        var sink = sink()
        sink.receive(
            SinkFixture.result(
                at: 2, predictions: [SinkFixture.prediction("squat", end: 2)], events: [.started(SinkFixture.session())]
            ))
        sink.receive(
            SinkFixture.result(at: 3, events: [.updated(SinkFixture.session())]))
        sink.close(SinkFixture.ending([.ended(SinkFixture.session(reason: .stopped))]))
        let commit = try #require(try writer.flush(now: .now, wall: SinkFixture.origin))
        #expect(
            commit.events.map(\.session.id) == ["s1", "s1"] && commit.predictions == 1,
            "the beginning and the end, in order")
        #expect(commit.events.last?.session.endReason == .stopped)
        let rows = try store.query.sessions(HistoryFilter())
        #expect(rows.map(\.id) == ["s1"])
    }

    @Test func `a request to end sessions is answered when the batch with them is on disk`() throws {
        var sink = sink()
        let outcomes = Mutex<[CommandOutcome]>([])
        requests.begin("rack1")
        requests.request("rack1") { outcome in outcomes.withLock { $0.append(outcome) } }
        sink.receive(SinkFixture.result(at: 2, events: [.started(SinkFixture.session())]))
        requests.answer(committed: writer.committedBatch, now: .now)
        sink.receive(
            SinkFixture.result(at: 3, events: [.ended(SinkFixture.session(reason: .stopped))], endedSessions: true))
        requests.answer(committed: writer.committedBatch, now: .now)
        #expect(outcomes.withLock { $0.count } == 0)
        _ = try writer.flush(now: .now, wall: SinkFixture.origin)
        // The next changes are already waiting in memory.
        sink.receive(SinkFixture.result(at: 4, predictions: [SinkFixture.prediction("squat", end: 4)]))
        #expect(writer.hasPending)
        requests.answer(committed: writer.committedBatch, now: .now)
        #expect(try outcomes.withLock { try $0.map { try $0.get() } } == [["camera": "rack1", "sessions": ["s1"]]])
    }
}
