/// Finds the topics at which a broker closes the connection. MQTT 3.1.1 has no other way to refuse a message, and several
/// cloud brokers use it.
///
/// A broker handles packets in order, so the topic is that of the first packet without an acknowledgement. After a loss
/// the next connection is careful: one packet at a time is under way. A topic at which ``proof`` connections in a row end
/// is left out for ``restTime``, so that the others, the records above all, reach the broker.
package struct ClosingTopics {
    /// How long a topic is left out before it is tried again; then twice as long each time, at most ``longestRest``.
    package static let restTime = Duration.seconds(600)
    /// The longest time a topic is left out.
    package static let longestRest = Duration.seconds(24 * 3600)
    /// A connection that stands for so long is not closed because of what was sent first.
    package static let trialTime = Duration.seconds(15)
    /// How many connections in a row must end at the same packet. For a topic that was left out before, one is enough.
    package static let proof = 3

    private static let maximumWaiting = 64

    private struct Packet {
        let mid: Int32?
        let topic: String
    }

    /// The packets of the trial without an acknowledgement, in order. QoS 0 has no number.
    private var waiting: [Packet] = []
    private var suspect: (topic: String, count: Int)?
    private var leftOut: [String: (until: ContinuousClock.Instant, rest: Duration)] = [:]
    /// When the trial of this connection began; `nil` when it is passed.
    private var trial: ContinuousClock.Instant?

    /// Nothing is left out.
    package init() {}

    /// Whether the next packet may be sent.
    package var maySend: Bool { suspect == nil || waiting.isEmpty }

    /// The topics that are left out.
    package var topics: [String] { leftOut.keys.sorted() }

    /// Whether a topic is left out now.
    package func isLeftOut(_ topic: String, _ now: ContinuousClock.Instant) -> Bool {
        leftOut[topic].map { now < $0.until } ?? false
    }

    /// A connection stands.
    package mutating func begin(_ now: ContinuousClock.Instant) { (waiting, trial) = ([], now) }

    /// A packet was handed to the connection.
    ///
    /// - Parameter mid: its number; `nil` for one that is not acknowledged.
    package mutating func sent(_ topic: String, mid: Int32?, _ now: ContinuousClock.Instant) {
        // A topic whose time is over is on trial again.
        if leftOut[topic] != nil, trial == nil { trial = now }
        // Only the first one without an answer matters, and the broker answers in order.
        guard trial != nil, waiting.count < Self.maximumWaiting else { return }
        waiting.append(Packet(mid: mid, topic: topic))
    }

    /// A packet was acknowledged, and with it all earlier ones that have no acknowledgement.
    package mutating func acknowledged(_ mid: Int32) {
        guard let place = waiting.firstIndex(where: { $0.mid == mid }) else { return }
        waiting = waiting[..<place].filter { $0.mid != nil } + waiting[(place + 1)...]
    }

    /// Ends the trial of a connection that stands for long enough. Call it regularly.
    ///
    /// - Returns: whether topics that were left out are accepted now.
    package mutating func survive(_ now: ContinuousClock.Instant) -> Bool {
        guard let trial, now - trial >= Self.trialTime else { return false }
        (self.trial, waiting, suspect) = (nil, [], nil)
        let accepted = leftOut.filter { now - $0.value.until >= Self.trialTime }
        for topic in accepted.keys { leftOut[topic] = nil }
        return !accepted.isEmpty
    }

    /// The connection was closed from outside.
    ///
    /// - Parameter isRefusal: whether the broker said that it refuses a packet, as MQTT 5 can.
    /// - Returns: the topic that is left out from now on; `nil` for none.
    package mutating func lost(_ now: ContinuousClock.Instant, isRefusal: Bool = false) -> String? {
        defer { (waiting, trial) = ([], nil) }
        guard let trial, now - trial < Self.trialTime, let topic = waiting.first?.topic else {
            suspect = nil
            return nil
        }
        let before = leftOut[topic]
        let count = (suspect?.topic == topic ? suspect?.count ?? 0 : 0) + 1
        guard before != nil || isRefusal || count >= Self.proof else {
            suspect = (topic, count)
            return nil
        }
        let rest = min(before.map { $0.rest * 2 } ?? Self.restTime, Self.longestRest)
        leftOut[topic] = (now + rest, rest)
        suspect = nil
        return topic
    }
}
