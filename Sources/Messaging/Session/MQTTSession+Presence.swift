import Foundation
import History

extension MQTTSession {
    func status(_ state: StatusPayload.State) throws -> MQTTMessage {
        let payload = StatusPayload(state: state, sid: sid, boot: boot, run: loop.runId, ts: Date(), clock: .now())
        return MQTTMessage(topic: loop.topics.status, payload: try JSONText.encode(payload), retain: true)
    }

    /// What stands on the own topic: a broker's mistake, or another node's word.
    func receiveStatus(_ message: ArrivedMessage) {
        // What somebody else wrote there and is no status is no business of ours.
        guard let heard = try? JSONDecoder().decode(ReceivedStatus.self, from: Data(message.payload)) else { return }
        // A will names no run.
        if let run = heard.run ?? heard.boot,
            loop.duplicates.observe(DuplicateNodeDetector.Author(run: run, sid: heard.sid))
        {
            suspectDuplicate(isLive: !message.retained)
        }
        if !message.retained { repair(heard) }
    }

    /// Another run wrote this node's status. A node whose connection was closed before gives way. One whose connection
    /// stands reports it only, since at an open broker anybody can write there.
    private func suspectDuplicate(isLive: Bool) {
        isDuplicate = loop.wasTornDown
        guard isLive, !isDuplicate else { return }
        let text = "another node wrote this node's status: \(ConnectionTrouble.duplicateClientId.remedy)"
        notice(ConnectionTrouble.duplicateClientId.rawValue, text)
        loop.complain(text, key: "duplicate")
    }

    /// A broker that took this connection over from a half-open one may publish the old one's will late; then the
    /// node is said to be gone while it is here. Once a second at most, should two nodes share an id.
    private func repair(_ heard: ReceivedStatus) {
        guard phase == .online,
            heard.state == StatusPayload.State.offline.rawValue, heard.sid <= sid
        else { return }
        let now = ContinuousClock.now
        if let repairedAt, now - repairedAt < .seconds(1) { return }
        repairedAt = now
        do {
            send(try status(.online))
            loop.log(.info, "the broker said this node was offline; corrected")
        } catch {
            loop.log(.warning, "the status could not be corrected: \(error)")
        }
    }

    /// While the node stops: tells the rest, then `stopped`, then good-bye.
    ///
    /// - Returns: whether there is still something to wait for.
    func isStaying(until stopBy: ContinuousClock.Instant) -> Bool {
        if phase != .leaving, case .connecting = phase { return false }
        let left = stopBy - .now
        do {
            if phase == .online {
                // Once more, now that nothing follows: what was left just before the order to stop belongs to it.
                if loop.absorb() { records.recordsAvailable() }
                try answer()
                try publishDue(hurry: true)
                // The last 400 ms belong to the good-bye; records that are left go at the next start.
                guard records.isDone && unacked.isEmpty || left < .milliseconds(400) else { return true }
                unacked = [:]
                send(try status(.stopped))
                phase = .leaving
            }
            if !unacked.isEmpty, left > .zero { return true }
        } catch {
            loop.log(.warning, "the node could not say that it stops: \(error)")
        }
        disconnectCleanly()
        return false
    }

    /// DISCONNECT, which makes the broker forget the will.
    func disconnectCleanly() {
        client.disconnect()
        for _ in 0..<10 {
            let events = client.turn(timeout: .milliseconds(20), wake: loop.shared.wake)
            if events.contains(where: { if case .lost = $0 { true } else { false } }) { return }
        }
    }
}

private struct ReceivedStatus: Decodable {
    var state: String
    var sid: Int64
    var boot: String?
    var run: String?
}
