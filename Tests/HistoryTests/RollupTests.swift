import Actions
import Contract
import Foundation
import History
import Testing

@Suite struct RollupTests {
    private let t0 = ContinuousClock.now

    private func rollups(_ store: Store) throws -> [(record: Record, body: RollupBody)] {
        try store.records.records(after: 0, limit: 1000).filter { $0.type == .rollup }
            .map { ($0, try JSONDecoder().decode(RollupBody.self, from: Data($0.body.utf8))) }
    }

    @Test func `five minutes become one record once they are over, even if everybody has left`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for second in 0..<3 {
            writer.credit(
                Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon.addingTimeInterval(Double(second)),
                now: t0)
        }
        _ = try writer.commitIfDue(now: t0 + .seconds(5), wall: Fixture.noon.addingTimeInterval(5))
        #expect(try rollups(store).isEmpty)
        #expect(try writer.commitIfDue(now: t0 + .seconds(200), wall: Fixture.noon.addingTimeInterval(200)) == nil)
        let commit = try writer.commitIfDue(now: t0 + .seconds(301), wall: Fixture.noon.addingTimeInterval(301))
        #expect(commit?.records == 1)
        let one = try #require(try rollups(store).first)
        #expect(one.record.final && one.record.rev == 1)
        #expect(one.body.start == "2026-11-21T11:00:00.000Z" && one.body.end == "2026-11-21T11:05:00.000Z")
        let action = try #require(one.body.actions.first)
        #expect(one.body.actions.count == 1 && action.label == "squat" && action.frames == 30 && action.seconds == 1)
        #expect(try writer.commitIfDue(now: t0 + .seconds(700), wall: Fixture.noon.addingTimeInterval(700)) == nil)
    }

    @Test func `late predictions make a revision, and the end of a run records every rollup`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try rollups(store).map(\.record.final) == [false])
        writer.credit(Fixture.prediction("lunge"), camera: "rack1", wall: Fixture.noon, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon.addingTimeInterval(400))
        let all = try rollups(store)
        #expect(all.map(\.record.rev) == [1, 2] && Set(all.map(\.record.id)).count == 1 && all[1].record.final)
        #expect(all[1].body.actions.map(\.label) == ["lunge", "squat"])
    }

    @Test func `the next run records the rollups of a run that died`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
        _ = try writer.commitIfDue(now: t0 + .seconds(5), wall: Fixture.noon)
        let next = try fixture.open(wall: Fixture.noon.addingTimeInterval(900), path: try fixture.copyOfRunningFiles())
        #expect(try rollups(next).map(\.body.actions.first?.frames) == [10])
    }

    @Test func `rollups and day totals have the same sums`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var dice = Dice(state: 7)
        for number in 0..<4000 {
            let wall = Fixture.noon.addingTimeInterval(Double(number))
            let label = ["squat", "lunge", "low_confidence"][Int.random(in: 0..<3, using: &dice)]
            writer.credit(Fixture.prediction(label), camera: "rack1", wall: wall, now: t0 + .seconds(number))
            _ = try writer.commitIfDue(now: t0 + .seconds(number), wall: wall)
        }
        _ = try writer.flush(now: t0 + .seconds(4000), wall: Fixture.noon.addingTimeInterval(4000))
        var newest: [String: RollupBody] = [:]
        for (record, body) in try rollups(store) { newest[record.id] = body }
        var sums: [String: Int] = [:]
        for action in newest.values.flatMap(\.actions) { sums[action.label, default: 0] += action.frames }
        let totals = try store.query.actions().reduce(into: [:]) { $0[$1.label] = $1.frames }
        #expect(sums == totals && newest.count == 14)
    }

    @Test func `ten minutes of two people cost at most one commit in five seconds, an empty hour four`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        let before = store.commits
        var now = t0
        for tick in 0..<2400 {
            now = t0 + .milliseconds(250 * tick)
            let wall = Fixture.noon.addingTimeInterval(Double(tick) / 4)
            for track in 1...2 {
                writer.credit(Fixture.prediction("squat", track: track), camera: "rack1", wall: wall, now: now)
            }
            if tick % 30 == 0 { writer.enqueue(Fixture.session("s\(tick)", start: wall, reason: .idle), now: now) }
            _ = try writer.commitIfDue(now: now, wall: wall)
        }
        #expect((100...120).contains(store.commits - before), "\(store.commits - before) commits in 600 s")

        _ = try writer.flush(now: now, wall: Fixture.noon.addingTimeInterval(600))
        let idle = store.commits
        for second in 600..<4200 {
            now = t0 + .seconds(second)
            let wall = Fixture.noon.addingTimeInterval(Double(second))
            writer.credit(Fixture.prediction("no_person", track: nil), camera: "rack1", wall: wall, now: now)
            _ = try writer.commitIfDue(now: now, wall: wall)
        }
        #expect(store.commits - idle <= 4, "\(store.commits - idle) commits in an hour nobody was there")
    }
}
