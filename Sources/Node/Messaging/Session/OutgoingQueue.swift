import Broker
import Contract
import Foundation
import History
import Records

/// What waits to be published, on the messaging thread: retained values, and ephemeral messages that may be dropped.
struct OutgoingQueue {
    /// How long an event waits for a connection. After that it would be misleading.
    static let eventLifetime = Duration.seconds(30)

    var retained: RetainedSet
    private(set) var info: InfoPayload?
    /// Messages that were never sent: without a connection in time, replaced by newer ones, beyond the limit, or refused by
    /// the library.
    private(set) var dropped = 0
    /// Outcomes of commands.
    private var outcomes: [(ticket: CommandTicket, outcome: CommandOutcome)] = []
    /// The last heartbeat, for requests between two heartbeats.
    private(set) var lastHealth: HealthPayload?
    private let topics: Topics
    private let commands: Set<CommandName>
    private let identity: NodeIdentity
    private var isInfoNew = false
    private var events: [(event: CameraEvent, at: ContinuousClock.Instant)] = []
    private var live: [(camera: String, prediction: LivePrediction)] = []
    private var health: HealthPayload?
    private var previews: [String: [UInt8]] = [:]
    private var logLines: [LogPayload] = []

    init(topics: Topics, commands: Set<CommandName>, identity: NodeIdentity, timeZone: TimeZone) {
        self.topics = topics
        self.commands = commands
        self.identity = identity
        retained = RetainedSet(topics: topics, timeZone: timeZone)
    }

    /// Sets first values for a camera that has not been opened yet; topics with a value keep it.
    ///
    /// - Parameter totals: reads today's totals.
    mutating func begin(_ camera: InfoPayload.Camera, _ wall: Date, totals: () throws -> DayRow) rethrows {
        retained.begin(.enabled(camera.enabled), camera: camera.id)
        let isOn = retained.newest(.enabled, of: camera.id) == .enabled(true)
        let status =
            isOn
            ? CameraStatus(state: .offline, reason: "starting", since: wall)
            : CameraStatus(state: .disabled, since: wall)
        retained.begin(.status(status), camera: camera.id)
        retained.begin(
            .state(CameraState(action: isOn ? "starting" : "none", confidence: 0, people: 0, since: wall, ts: wall)),
            camera: camera.id)
        retained.begin(.workouts(CameraWorkouts([], ts: wall)), camera: camera.id)
        if retained.newest(.counts, of: camera.id) == nil { retained.begin(.counts(try totals()), camera: camera.id) }
    }

    /// Takes over the messages from the mailbox.
    mutating func absorb(_ inbox: PublisherMailbox) {
        for (camera, value) in inbox.values { retained.set(value, camera: camera) }
        events += inbox.events
        let tooMany = max(0, events.count - PublisherMailbox.maximumEvents)
        events.removeFirst(tooMany)
        dropped += tooMany
        live += inbox.live
        for (camera, preview) in inbox.previews where previews.updateValue(preview, forKey: camera) != nil {
            dropped += 1
        }
        logLines += inbox.logLines
        dropped += inbox.dropped
        outcomes += inbox.outcomes
        if var new = inbox.info {
            new.commands = commands.map(\.rawValue).sorted()
            new.privacy.images = commands.contains(.preview) ? "skeleton" : "off"
            isInfoNew = isInfoNew || new != info
            info = new
        }
        absorb(health: inbox.health)
    }

    private mutating func absorb(health new: HealthPayload?) {
        guard let new else { return }
        if health != nil { dropped += 1 }
        health = new
        lastHealth = new
    }

    mutating func drainOutcomes() -> [(ticket: CommandTicket, outcome: CommandOutcome)] {
        defer { outcomes = [] }
        return outcomes
    }

    /// Drops messages that are only of use at once, while there is no connection.
    mutating func dropEphemeral(_ now: ContinuousClock.Instant) {
        dropped += live.count + (health == nil ? 0 : 1) + previews.count + logLines.count
        live = []
        health = nil
        previews = [:]
        logLines = []
        dropStaleEvents(now)
    }

    mutating func count(dropped more: Int) { dropped += more }

    /// The birth document with the record log's current position; `nil` while it is unknown.
    mutating func nextInfo(onlyIfNew: Bool = false, lastSeq: () throws -> Int64) throws -> MQTTMessage? {
        guard isInfoNew || !onlyIfNew, let document = try completeInfo(lastSeq: lastSeq) else { return nil }
        isInfoNew = false
        return MQTTMessage(topic: topics.info, payload: try JSONText.encode(document), retain: true)
    }

    func completeInfo(lastSeq: () throws -> Int64) throws -> InfoPayload? {
        guard var document = info else { return nil }
        document.epoch = identity.epoch
        document.seq = try lastSeq()
        return document
    }

    mutating func drainEvents(_ now: ContinuousClock.Instant, limit: Int) throws -> [MQTTMessage] {
        dropStaleEvents(now)
        let taken = events.prefix(max(0, limit))
        events.removeFirst(taken.count)
        return try taken.map {
            MQTTMessage(
                topic: topics.camera($0.event.camera, .event), payload: try JSONText.encode($0.event),
                expirySeconds: 30)
        }
    }

    mutating func drainLive() throws -> [MQTTMessage] {
        defer { live = [] }
        return try live.map {
            MQTTMessage(
                topic: topics.camera($0.camera, .live), payload: try JSONText.encode($0.prediction), qos: 0,
                expirySeconds: 5)
        }
    }

    mutating func drainPreviews() -> [MQTTMessage] {
        defer { previews = [:] }
        return previews.map { camera, picture in
            MQTTMessage(
                topic: topics.camera(camera, .preview), payload: "", picture: picture, qos: 0, expirySeconds: 10,
                contentType: "image/jpeg")
        }
    }

    mutating func drainLog() throws -> [MQTTMessage] {
        defer { logLines = [] }
        return try logLines.map {
            MQTTMessage(topic: topics.log, payload: try JSONText.encode($0), qos: 0, expirySeconds: 3600)
        }
    }

    mutating func nextHealth(
        outbox: () -> HealthPayload.Outbox?, connection: HealthPayload.Connection
    ) throws -> MQTTMessage? {
        guard let payload = health else { return nil }
        health = nil
        return try message(payload, outbox: outbox(), connection: connection)
    }

    /// The last heartbeat again, for a receiver that missed it.
    func repeatHealth(
        outbox: () -> HealthPayload.Outbox?, connection: HealthPayload.Connection
    ) throws -> MQTTMessage? {
        try lastHealth.map { try message($0, outbox: outbox(), connection: connection) }
    }

    private func message(
        _ payload: HealthPayload, outbox: HealthPayload.Outbox?, connection: HealthPayload.Connection
    ) throws -> MQTTMessage {
        var payload = payload
        payload.outbox = outbox
        payload.mqtt = connection
        return MQTTMessage(topic: topics.health, payload: try JSONText.encode(payload), qos: 0, expirySeconds: 90)
    }

    private mutating func dropStaleEvents(_ now: ContinuousClock.Instant) {
        let before = events.count
        events.removeAll { now - $0.at > Self.eventLifetime }
        dropped += before - events.count
    }
}
