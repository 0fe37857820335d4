import Foundation
import History
import Messaging
import Testing

/// Requested replays, and a connection that breaks during one.
@Suite struct ReplayTests {
    /// Sends all records that are due, without acknowledging them.
    private func take(_ sender: inout RecordSender, at now: ContinuousClock.Instant) throws -> [Int64] {
        let due = try sender.next(now, wall: Date())
        for one in due { sender.sent(one, mid: Int32(one.record.seq)) }
        return due.map(\.record.seq)
    }

    @Test func `a replay in flight at a disconnect is sent again, whole ranges and the rest of a started one`() throws {
        let node = try Node(MQTTSettings())
        for _ in 0..<40 { try node.record() }
        try node.store.records.advance(to: 40, wall: Date())
        var sender = try RecordSender(log: node.store.records)
        _ = sender.replay(1...5)
        _ = sender.replay(11...40)
        let start = ContinuousClock.now
        #expect(try take(&sender, at: start) == [1, 2, 3, 4, 5])
        #expect(try take(&sender, at: start) == Array(11...25))
        for mid in [2, 3, 11] as [Int32] { _ = sender.acknowledged(mid: mid) }
        sender.begin()
        var again: [Int64] = []
        for second in 1...8 {
            let seqs = try take(&sender, at: start + .seconds(second))
            again += seqs
            for seq in seqs { _ = sender.acknowledged(mid: Int32(seq)) }
        }
        #expect(again == [1, 4, 5] + Array(12...40))
        #expect(!sender.isWaiting)
    }

    @Test func `a replay that the library did not accept is sent again`() throws {
        let node = try Node(MQTTSettings())
        for _ in 0..<3 { try node.record() }
        try node.store.records.advance(to: 3, wall: Date())
        var sender = try RecordSender(log: node.store.records)
        _ = sender.replay(1...3)
        let start = ContinuousClock.now
        let due = try sender.next(start, wall: Date())
        sender.sent(due[0], mid: 1)
        // The library declined the second record; the third was not tried.
        sender.pause(until: start + .seconds(5))
        #expect(try take(&sender, at: start + .seconds(6)) == [1, 2, 3])
    }

    @Test(.enabled(if: Broker.isInstalled))
    func `a connection cut between publish and acknowledgement loses no replay`() async throws {
        let broker = try Broker()
        try await broker.start()
        let line = try FlakyConnection(to: broker.port, at: #""hist":true"#)
        let node = try Node(MQTTSettings(port: line.port, firstRetry: .milliseconds(50), lastRetry: .milliseconds(200)))
        for _ in 0..<10 { try node.record() }
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        node.publisher.start()
        try await eventually("all of them") { node.publisher.report.ackedSeq == 10 }
        try run(
            "/usr/bin/mosquitto_pub",
            [
                "-p", "\(broker.port)", "-q", "1", "-t", "spotter/v1/gym/sp-test/cmd/sync", "-m",
                #"{"id":"s1","args":{"epoch":"\#(node.store.identity.epoch)","from_seq":1,"to_seq":10}}"#,
            ])
        try await eventually("cut") { line.isBroken }
        let replayed = {
            Set(
                try subscriber.messages("/rec/session").map { try $0.json() }
                    .filter { $0["hist"] as? Bool == true }.compactMap { $0["seq"] as? Int })
        }
        try await eventually("every one, after the cut", within: 30) { try replayed() == Set(1...10) }
        await node.publisher.stop()
    }
}
