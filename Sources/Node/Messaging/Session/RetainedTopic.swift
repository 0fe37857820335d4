import Broker
import Contract
import Foundation
import History
import Records

/// One topic on which only the newest value matters: decides when it is due, and remembers the value last sent.
package struct RetainedTopic {
    /// The full topic.
    package let topic: String
    /// The shortest time between two messages.
    package let minimum: Duration
    /// The time after which an unchanged value is sent again; `nil` for never.
    package let heartbeat: Duration?
    /// Seconds after which the broker discards the message; `nil` for never.
    package let expirySeconds: UInt32?
    /// The newest value; `nil` while there is none.
    package private(set) var newest: RetainedValue?
    private var sent: RetainedValue?
    private var sentAt: ContinuousClock.Instant?

    /// A topic without a value.
    package init(topic: String, minimum: Duration, heartbeat: Duration? = nil, expirySeconds: UInt32? = nil) {
        self.topic = topic
        self.minimum = minimum
        self.heartbeat = heartbeat
        self.expirySeconds = expirySeconds
    }

    /// Replaces the newest value.
    package mutating func set(_ value: RetainedValue) { newest = value }

    /// Whether the newest value should be sent now.
    ///
    /// - Parameter hurry: whether the node is stopping, so that ``minimum`` does not apply.
    package func isDue(_ now: ContinuousClock.Instant, hurry: Bool = false) -> Bool {
        guard let newest else { return false }
        guard let sent, let sentAt else { return true }
        if newest.differs(from: sent) { return hurry || now - sentAt >= minimum }
        return heartbeat.map { now - sentAt >= $0 } ?? false
    }

    /// The message with the newest value, which counts as sent from here on; `nil` while there is no value.
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

/// The value of one of a camera's retained topics, or of the node's.
package enum RetainedValue: Equatable, Sendable {
    case status(CameraStatus)
    case state(CameraState)
    case workouts(CameraWorkouts)
    case counts(DayRow)
    /// Whether the camera is switched on.
    case enabled(Bool)
    /// How many people all cameras see.
    case occupancy(OccupancyPayload)
    /// Who lies on the floor and does not move.
    case alarm(AlarmPayload)

    /// Whether a receiver would notice the difference.
    package func differs(from other: RetainedValue) -> Bool {
        if case .state(let new) = self, case .state(let old) = other { return new.differs(from: old) }
        if case .workouts(let new) = self, case .workouts(let old) = other { return new.differs(from: old) }
        if case .occupancy(let new) = self, case .occupancy(let old) = other { return new.differs(from: old) }
        if case .alarm(let new) = self, case .alarm(let old) = other { return new.open != old.open }
        return self != other
    }

    /// The payload: JSON, or for ``enabled(_:)`` the text `ON` or `OFF`.
    package func payload(sid: Int64, timeZone: TimeZone) throws -> String {
        switch self {
        case .status(let status): try JSONText.encode(CameraStatusPayload(status, sid: sid))
        case .state(let state): try JSONText.encode(state)
        case .workouts(let workouts): try JSONText.encode(workouts)
        case .counts(let row): try JSONText.encode(CountsPayload(row, timeZone: timeZone))
        case .enabled(let isOn): isOn ? "ON" : "OFF"
        case .occupancy(let occupancy): try JSONText.encode(occupancy)
        case .alarm(let alarm): try JSONText.encode(alarm)
        }
    }
}
