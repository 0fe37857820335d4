import Agent
import Capture
import Foundation
import History
import Messaging
import Poses
import Records
import TestSupport
import Testing

/// How full the floor is, from frames to the database and to what is told.
@Suite struct OccupancyTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let writer: HistoryWriter
    private let floor = FloorCount()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("spotter.db").path, settings: HistorySettings(timeZone: .gmt))
        writer = try HistoryWriter(store: store, model: ModelStamp(id: "test@1", framesPerSecond: 30))
    }

    private func sink(_ camera: String = "rack1") -> HistorySink {
        HistorySink(
            camera: camera, writer: writer, reports: CameraStatusBoard(), sessionEnds: SessionEndRequests(),
            floor: floor)
    }

    private func hours(_ filter: HistoryFilter = HistoryFilter()) throws -> OccupancyRow {
        _ = try writer.flush(now: .now, wall: SinkFixture.origin)
        // 2026-11-21 11:00 in UTC.
        return try store.query.hours(filter).rows[11]
    }

    @Test func `each frame counts for the time since the one before`() throws {
        var sink = sink()
        for (time, people) in [(0.0, 3), (1, 2), (2, 2), (3, 0), (7, 1)] {
            sink.receive(SinkFixture.result(at: time, people: people))
        }
        sink.close(SinkFixture.ending())
        let row = try hours()
        #expect(row.watchedSeconds == 7 && row.people == ((2 + 2 + 4) / 7.0).rounded(decimals: 3) && row.most == 3)
    }

    @Test func `whom another camera counts is not counted here`() throws {
        var (left, right) = (sink("left"), sink("right"))
        for time in [0.0, 1, 2] {
            left.receive(SinkFixture.result(at: time, people: 2))
            right.receive(SinkFixture.result(at: time, people: 2, doubles: [1, 2]))
        }
        left.close(SinkFixture.ending())
        right.close(SinkFixture.ending())
        let row = try hours()
        #expect(row.people == 2 && row.most == 2)
    }

    @Test func `a pause without frames and a jump back were not watched`() throws {
        var sink = sink()
        for time in [0.0, 1, 20, 21, 5, 6] { sink.receive(SinkFixture.result(at: time)) }
        sink.close(SinkFixture.ending())
        #expect(try hours().watchedSeconds == 3)
    }

    @Test func `time is stored in the quarter of an hour in which it was seen`() throws {
        var sink = sink()
        for time in stride(from: 890.0, through: 910, by: 1) { sink.receive(SinkFixture.result(at: time)) }
        sink.close(SinkFixture.ending())
        _ = try writer.flush(now: .now, wall: SinkFixture.origin)
        let later = HistoryFilter(since: SinkFixture.origin + 900)
        #expect(try store.query.hours(later).watchedSeconds == 11 && store.query.hours().watchedSeconds == 20)
    }

    @Test func `the most at once is that of all cameras`() throws {
        var (one, other) = (sink(), sink("rack2"))
        for time in 0...6 {
            one.receive(SinkFixture.result(at: Double(time), people: 2))
            other.receive(SinkFixture.result(at: Double(time), people: time == 3 ? 4 : 1))
        }
        other.close(SinkFixture.ending())
        for time in 7...8 { one.receive(SinkFixture.result(at: Double(time), people: 5)) }
        one.close(SinkFixture.ending())
        #expect(try hours().most == 6)
        #expect(try hours(HistoryFilter(camera: "rack1")).most == 5 && hours(HistoryFilter(camera: "rack2")).most == 4)
    }

    @Test func `zones keep who was in them and who waited`() throws {
        var sink = sink()
        for time in 0...10 {
            sink.receive(
                SinkFixture.result(
                    at: Double(time), people: 3, zones: [1: "mat", 2: "mat"], waiting: time > 6 ? ["mat": 1] : [:]))
        }
        sink.close(SinkFixture.ending())
        let row = try hours(HistoryFilter(zone: "mat"))
        #expect(row.people == 2 && row.most == 2)
        let zone = try #require(try store.query.zones(configured: [("rack1", "mat")]).first)
        #expect(zone.waitingSeconds == 4)
    }

    @Test func `the node tells the people of cameras that deliver pictures, and how many are usual`() throws {
        let fixture = try NodeFixture()
        let node = try fixture.node(source: "/dev/video0")
        let reports = CameraStatusBoard()
        // Far from any change of the clocks.
        let now = Date(timeIntervalSince1970: 1_784_116_800)
        #expect(node.occupancy(reports, wall: now).people == nil)
        reports.update("rack1") { $0.people = 4 }
        #expect(node.occupancy(reports, wall: now).people == nil, "nothing has been seen yet")
        node.commands.sessionEnds.begin("rack1")
        var sink = MetricsSink(
            camera: "rack1",
            source: SourceStatistics(
                promisedHz: 0, device: nil, durationSeconds: nil, inference: RecentDurations()),
            reports: reports, minimumPoseShare: 0, log: { _, _ in }, publish: { _ in })
        sink.receive(SinkFixture.result(at: 1, people: 4))
        node.floor.count(4, of: "rack1")
        let told = node.occupancy(reports, wall: now)
        #expect(told.people == 4 && told.usual == nil)
        var sum = OccupancySum()
        (sum.watchedSeconds, sum.personSeconds, sum.most, sum.mostOfAll) = (900, 1800, 2, 2)
        node.writer.add(sum, to: OccupancySlot(holding: now - 604_800, camera: "rack1"), now: .now)
        _ = try node.writer.flush(now: .now, wall: now)
        #expect(node.occupancy(reports, wall: now).usual == nil, "it is asked once in a quarter of an hour")
        let later = node.occupancy(reports, wall: now + 604_800)
        #expect(later.usual == 2 && later.weeks == 1)
        node.commands.sessionEnds.end("rack1")
        #expect(node.occupancy(reports, wall: now).people == nil)
    }
}
