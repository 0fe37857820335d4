import Foundation
import History

/// One topic on which only the newest value matters: when it is due, and what was last said.
package struct RetainedTopic {
    package let topic: String
    /// Shortest time between two messages.
    package let minimum: Duration
    /// Time after which the newest value is sent again although nothing changed.
    package let heartbeat: Duration?
    package let expirySeconds: UInt32?
    package private(set) var newest: RetainedValue?
    private var sent: RetainedValue?
    private var sentAt: ContinuousClock.Instant?

    package init(topic: String, minimum: Duration, heartbeat: Duration? = nil, expirySeconds: UInt32? = nil) {
        self.topic = topic
        self.minimum = minimum
        self.heartbeat = heartbeat
        self.expirySeconds = expirySeconds
    }

    package mutating func set(_ value: RetainedValue) { newest = value }

    /// Whether there is a value the broker should get now.
    ///
    /// - Parameter hurry: the node is about to stop: the minimum does not count any more.
    package func isDue(_ now: ContinuousClock.Instant, hurry: Bool = false) -> Bool {
        guard let newest else { return false }
        guard let sent, let sentAt else { return true }
        if newest.differs(from: sent) { return hurry || now - sentAt >= minimum }
        return heartbeat.map { now - sentAt >= $0 } ?? false
    }

    /// The message with the newest value; it counts as sent from here on.
    package mutating func nextMessage(_ now: ContinuousClock.Instant, sid: Int64, timeZone: TimeZone) throws
        -> MQTTMessage?
    {
        guard let newest else { return nil }
        sent = newest
        sentAt = now
        let payload = try newest.payload(sid: sid, timeZone: timeZone)
        var message = MQTTMessage(topic: topic, payload: payload, retain: true, expirySeconds: expirySeconds)
        if case .enabled = newest { message.contentType = "text/plain" }
        return message
    }
}

/// What a camera's retained topics say.
package enum RetainedValue: Equatable, Sendable {
    case status(CameraStatus)
    case state(CameraState)
    case counts(DayRow)
    /// Whether the camera is switched on.
    case enabled(Bool)

    package func differs(from other: RetainedValue) -> Bool {
        if case .state(let new) = self, case .state(let old) = other { return new.differs(from: old) }
        return self != other
    }

    package func payload(sid: Int64, timeZone: TimeZone) throws -> String {
        switch self {
        case .status(let status): try JSONText.encode(CameraStatusPayload(status, sid: sid))
        case .state(let state): try JSONText.encode(state)
        case .counts(let row): try JSONText.encode(CountsPayload(row, timeZone: timeZone))
        case .enabled(let isOn): isOn ? "ON" : "OFF"
        }
    }
}
