import Broker
import Foundation
import History
import Records

extension MQTTSession {
    func status(_ state: StatusPayload.State) throws -> MQTTMessage {
        let payload = StatusPayload(state: state, sid: sid, boot: boot, run: loop.runId, ts: Date(), clock: .now())
        return MQTTMessage(topic: loop.topics.status, payload: try JSONText.encode(payload), retain: true)
    }

    /// Handles a message on this node's own status topic: a late will from the broker, or the status of another node
    /// with this id.
    func receiveStatus(_ message: ArrivedMessage) {
        // Ignore anything that is no status.
        guard let received = try? JSONDecoder().decode(ReceivedStatus.self, from: Data(message.payload)) else { return }
        // A will contains no run.
        if let run = received.run ?? received.boot,
            loop.duplicates.observe(DuplicateNodeDetector.Author(run: run, sid: received.sid))
        {
            suspectDuplicate(isLive: !message.retained)
        }
        if !message.retained { repair(received) }
    }

    /// Another run wrote this node's status. If this node's last connection was closed from outside, it gives way. If
    /// not, it only reports the duplicate, since at an open broker anybody can write there.
    private func suspectDuplicate(isLive: Bool) {
        isDuplicate = loop.wasTornDown
        guard isLive, !isDuplicate else { return }
        let text = "another node wrote this node's status: \(ConnectionTrouble.duplicateClientId.remedy)"
        notice(ConnectionTrouble.duplicateClientId.rawValue, text)
        loop.complain(text, key: "duplicate")
    }

    /// Publishes `online` again. When this connection replaced a half-open one, the broker may publish the old will
    /// late and report the node as offline. At most once a second, in case two nodes share an id.
    private func repair(_ received: ReceivedStatus) {
        guard phase == .online,
            received.state == StatusPayload.State.offline.rawValue, received.sid <= sid
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

    /// Stops the session: sends what is left, publishes `stopped`, and disconnects.
    ///
    /// - Returns: whether there is still something to wait for.
    func isStaying(until stopBy: ContinuousClock.Instant) -> Bool {
        if phase != .leaving, case .connecting = phase { return false }
        let left = stopBy - .now
        do {
            if phase == .online {
                // Empty the mailbox once more: messages sent just before the order to stop must go, too.
                if loop.absorb() { records.recordsAvailable() }
                try answer()
                try publishDue(hurry: true)
                // The last 400 ms are reserved for `stopped` and DISCONNECT. Remaining records are sent after the next
                // start.
                guard records.isDone && unacked.isEmpty || left < .milliseconds(400) else { return true }
                unacked = [:]
                send(try status(.stopped))
                phase = .leaving
            }
            if !unacked.isEmpty, left > .zero { return true }
        } catch {
            loop.log(.warning, "the status 'stopped' could not be sent: \(error)")
        }
        disconnectCleanly()
        return false
    }

    /// Sends DISCONNECT, so that the broker discards the will, and waits up to 200 ms for the end.
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
