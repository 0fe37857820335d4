import Sink
import Testing

private let name = AckQueue.NodeName(site: "berlin", node: "sp-a")
private let start = ContinuousClock.now

private func position(
    _ prefix: Int64, highest: Int64? = nil, missing: ClosedRange<Int64>? = nil, epoch: String = "e",
    node: String = "sp-a",
    isCurrent: Bool = true
) -> StreamPosition {
    StreamPosition(
        site: "berlin", node: node, epoch: epoch, isCurrent: isCurrent, prefix: prefix, highest: highest ?? prefix,
        missing: missing)
}

@Suite struct AckQueueTests {
    @Test func `the newest position of a node is sent, once a second at most`() {
        var queue = AckQueue()
        queue.note(position(5))
        queue.note(position(9))
        let first = queue.due(start, limit: 10)
        #expect(first.map(\.seq) == [9])
        queue.sent(first, at: start)
        queue.note(position(12))
        #expect(queue.due(start + .milliseconds(900), limit: 10).isEmpty)
        #expect(queue.due(start + .milliseconds(1000), limit: 10).map(\.seq) == [12])
    }

    @Test func `what was not sent stays`() {
        var queue = AckQueue()
        queue.note(position(5))
        _ = queue.due(start, limit: 10)
        #expect(queue.due(start, limit: 10).count == 1)
    }

    @Test func `a position that changed while it was sent is sent again`() {
        var queue = AckQueue()
        queue.note(position(5))
        let old = queue.due(start, limit: 10)
        queue.note(position(6))
        queue.sent(old, at: start)
        #expect(queue.due(start + .seconds(2), limit: 10).map(\.seq) == [6])
    }

    @Test func `nothing is acknowledged while the first record is missing`() {
        var queue = AckQueue()
        queue.note(position(0, highest: 8, missing: 1...7))
        #expect(queue.due(start, limit: 10).isEmpty && queue.newest(name)?.seq == 0)
    }

    @Test func `an abandoned history is not acknowledged`() {
        var queue = AckQueue()
        queue.note(position(5, epoch: "new"))
        queue.note(position(900, epoch: "old", isCurrent: false))
        #expect(queue.due(start, limit: 10).map(\.epoch) == ["new"])
    }

    @Test func `those that wait longest come first`() {
        var queue = AckQueue()
        for node in ["sp-a", "sp-b", "sp-c"] { queue.note(position(1, node: node)) }
        let first = queue.due(start, limit: 2)
        #expect(first.map(\.name.node) == ["sp-a", "sp-b"])
        queue.sent(first, at: start)
        queue.note(position(2, node: "sp-a"))
        #expect(queue.due(start + .seconds(2), limit: 5).map(\.name.node) == ["sp-c", "sp-a"])
    }
}

/// What is missing, in a class, so that expectations may ask for it.
private final class Missing {
    private var records = MissingRecords()
    var count: Int { records.count }

    func note(_ position: StreamPosition, at now: ContinuousClock.Instant) { records.note(position, at: now) }

    func note(
        _ name: AckQueue.NodeName, acked: Int64, pending: Int64, stored: AckQueue.Ack?, at now: ContinuousClock.Instant
    ) -> Bool { records.note(name, acked: acked, pending: pending, stored: stored, at: now) }

    func connected(_ name: AckQueue.NodeName, at now: ContinuousClock.Instant) { records.connected(name, at: now) }

    func due(_ now: ContinuousClock.Instant, limit: Int = .max) -> [MissingRecords.Request] {
        records.due(now, limit: limit)
    }
}

@Suite struct MissingRecordsTests {
    @Test func `a hole is asked for after thirty seconds, then ever more rarely`() {
        let missing = Missing()
        missing.note(position(4, highest: 9, missing: 5...8), at: start)
        #expect(missing.due(start + .seconds(29)).isEmpty)
        #expect(missing.due(start + .seconds(30)).map(\.range) == [5...8])
        #expect(missing.due(start + .seconds(89)).isEmpty)
        #expect(missing.due(start + .seconds(90)).count == 1)
        #expect(missing.due(start + .seconds(209)).isEmpty)
        #expect(missing.due(start + .seconds(210)).count == 1)
    }

    @Test func `a node that does not answer is left alone until it connects`() {
        let missing = Missing()
        missing.note(position(4, highest: 9, missing: 5...8), at: start)
        var requests = 0
        for hour in 1...100 { requests += missing.due(start + .seconds(hour * 3600)).count }
        #expect(requests == 12)
        missing.connected(name, at: start + .seconds(400_000))
        #expect(missing.due(start + .seconds(400_030)).count == 1)
    }

    @Test func `what cannot be sent now is no attempt`() {
        let missing = Missing()
        missing.note(position(4, highest: 9, missing: 5...8), at: start)
        for second in 30..<100 { #expect(missing.due(start + .seconds(second), limit: 0).isEmpty) }
        #expect(missing.due(start + .seconds(100), limit: 1).map(\.range) == [5...8])
        #expect(missing.due(start + .seconds(159)).isEmpty && missing.due(start + .seconds(160)).count == 1)
    }

    @Test func `a hole that fills has time`() {
        let missing = Missing()
        missing.note(position(4, highest: 99, missing: 5...98), at: start)
        missing.note(position(50, highest: 99, missing: 51...98), at: start + .seconds(25))
        #expect(missing.due(start + .seconds(54)).isEmpty)
        #expect(missing.due(start + .seconds(55)).map(\.range) == [51...98])
        missing.note(position(99), at: start + .seconds(56))
        #expect(missing.count == 0)
    }

    @Test func `a huge hole is asked for in parts, and one node does not use up all requests`() {
        let missing = Missing()
        for number in 0..<50 {
            let far = position(1, highest: .max - 2, missing: 2...(.max - 3), node: "sp-\(number)")
            missing.note(far, at: start)
        }
        let requests = missing.due(start + .seconds(30))
        #expect(requests.count == 20 && requests.allSatisfy { $0.range == 2...10_001 })
        #expect(missing.due(start + .milliseconds(30_500)).isEmpty)
        #expect(missing.due(start + .milliseconds(31_100)).count == 20)
    }

    @Test func `records after the last are missed by what health says`() {
        let missing = Missing()
        let stored = AckQueue.Ack.with(seq: 40)
        // A node that is still sending is left alone.
        #expect(!missing.note(name, acked: 40, pending: 3, stored: .with(seq: 40), at: start))
        #expect(!missing.note(name, acked: 45, pending: 3, stored: .with(seq: 45), at: start + .seconds(30)))
        #expect(missing.count == 0)
        // One whose records do not come is asked.
        #expect(!missing.note(name, acked: 40, pending: 3, stored: stored, at: start + .seconds(60)))
        #expect(!missing.note(name, acked: 40, pending: 3, stored: stored, at: start + .seconds(90)))
        #expect(missing.due(start + .seconds(120)).map(\.range) == [41...43])
        missing.note(position(43), at: start + .seconds(121))
        #expect(missing.count == 0)
    }

    @Test func `a node that knows an older acknowledgement gets the newest again`() {
        let missing = Missing()
        #expect(missing.note(name, acked: 30, pending: 12, stored: .with(seq: 40), at: start))
        #expect(missing.count == 0)
    }

    @Test func `a restored database asks for what was acknowledged before`() {
        let missing = Missing()
        #expect(!missing.note(name, acked: 90, pending: 0, stored: .with(seq: 40), at: start))
        #expect(missing.due(start + .seconds(30)).map(\.range) == [41...90])
    }

    @Test func `absurd numbers in health do no harm`() {
        let missing = Missing()
        for second in [0, 30, 60] {
            _ = missing.note(name, acked: 40, pending: .max - 2, stored: .with(seq: 40), at: start + .seconds(second))
        }
        #expect(missing.due(start + .seconds(100)).map(\.range) == [41...10_040])
    }
}

extension AckQueue.Ack {
    fileprivate static func with(seq: Int64) -> AckQueue.Ack {
        var queue = AckQueue()
        queue.note(position(seq))
        guard let ack = queue.newest(AckQueue.NodeName(site: "berlin", node: "sp-a")) else {
            preconditionFailure("the position was noted")
        }
        return ack
    }
}
