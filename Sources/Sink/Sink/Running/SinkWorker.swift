import Broker
import Foundation
import Logging
import Records

/// The sink at work: from the hub into PostgreSQL, and acknowledgements back. One thread does all of it.
///
///     hub → messages → batch → one transaction → positions → acknowledgements → hub
///                                                         └→ what is missing → requests → hub
///
/// While PostgreSQL is away the sink leaves the hub, which keeps the records. So the sink holds one batch at most.
package final class SinkWorker {
    /// How a run ends by itself.
    package struct Mode: Sendable {
        /// End when everything that the hub has is stored, and nothing came for this long.
        package var endsWhenQuietFor: Duration?
        /// Ask every node for all its records again.
        package var asksForAll = false

        /// A run without end.
        package init(endsWhenQuietFor: Duration? = nil, asksForAll: Bool = false) {
            self.endsWhenQuietFor = endsWhenQuietFor
            self.asksForAll = asksForAll
        }
    }

    let configuration: SinkConfiguration
    let mode: Mode
    let metrics: SinkMetrics
    let log: Logger
    let stop: StopSignal
    /// What was received and is not stored yet. It outlives connections to PostgreSQL.
    var batch = Batch()
    var batchBegan = ContinuousClock.now
    var acks = AckQueue()
    var missing: MissingRecords
    /// What was logged of time zones that PostgreSQL does not know.
    var toldZones: Set<SinkDatabase.ZoneProblem> = []
    private var version = MQTTClient.ProtocolVersion.v5
    private var complaints = RepeatedComplaint()

    /// A sink with these settings.
    ///
    /// - Parameter stop: ends ``run()``.
    package init(
        _ configuration: SinkConfiguration, mode: Mode = Mode(), metrics: SinkMetrics, log: Logger, stop: StopSignal
    ) {
        self.configuration = configuration
        self.mode = mode
        self.metrics = metrics
        self.log = log
        self.stop = stop
        var patience = MissingRecords.Patience()
        patience.first = .seconds(configuration.sink.holeSeconds)
        missing = MissingRecords(patience: patience)
    }

    /// Works until it is stopped, or with ``Mode/endsWhenQuietFor`` until nothing is left to do.
    ///
    /// - Throws: with ``Mode/endsWhenQuietFor`` the first error; otherwise nothing, since the sink goes on by itself.
    package func run() throws {
        var retry = RetryDelay(first: .milliseconds(500), last: .seconds(10))
        while !stop.isSet {
            do {
                let database = try SinkDatabase(configuration.database.connection)
                metrics.update { $0.isDatabaseUp = true }
                guard try waitForTurn(database) else { return }
                retry.reset()
                if try work(with: database) { return }
            } catch {
                metrics.update { ($0.isDatabaseUp, $0.isBrokerUp, $0.isActive) = (false, false, false) }
                guard mode.endsWhenQuietFor == nil else { throw error }
                complain("\(error)")
                stop.wait(retry.next(after: .unreachable, random: Double.random(in: 0.5...1)))
            }
        }
    }

    /// Waits until this is the one sink that works.
    ///
    /// - Returns: `false` when the sink stops first.
    private func waitForTurn(_ database: SinkDatabase) throws -> Bool {
        let name = "\(configuration.sink.consumer) \(configuration.shard.text)"
        var hasWaited = false
        while try !database.lock(name) {
            if !hasWaited { log.info("another sink is at work; waiting for its lock") }
            hasWaited = true
            stop.wait(.seconds(1))
            guard !stop.isSet else { return false }
        }
        metrics.update { $0.isActive = true }
        log.info("at work as consumer \(configuration.sink.consumer), part \(configuration.shard.text)")
        return true
    }

    /// Works with one connection to PostgreSQL.
    ///
    /// - Returns: whether the run is over.
    /// - Throws: when PostgreSQL is gone.
    private func work(with database: SinkDatabase) throws -> Bool {
        try database.maintain(keptMonths: configuration.sink.keepMonths)
        try beginPositions(database)
        // What an earlier connection could not store.
        if !batch.isEmpty { try store(in: database) }
        var upkeep = Upkeep(now: .now)
        var retry = RetryDelay(first: .seconds(1), last: configuration.broker.lastRetry)
        while !stop.isSet {
            do {
                let hub = try HubConnection(configuration, version: version, wake: stop.wake) { stop.isSet }
                connected()
                let began = ContinuousClock.now
                defer { if .now - began > .seconds(60) { retry.reset() } }
                if try serve(hub, database, &upkeep) { return true }
            } catch  where error is HubError || error is BrokerError {
                metrics.update { $0.isBrokerUp = false }
                let refusal = error as? HubError
                if refusal == .stopping { break }
                if version == .v5, refusal?.needsOlderVersion == true {
                    version = .v311
                    continue
                }
                guard mode.endsWhenQuietFor == nil else { throw error }
                complain("\(error)")
                try rest(retry.next(after: .unreachable, random: Double.random(in: 0.5...1)), database, &upkeep)
            }
        }
        if !batch.isEmpty { try store(in: database) }
        return true
    }

    /// Waits without a hub, and keeps an eye on PostgreSQL.
    private func rest(_ time: Duration, _ database: SinkDatabase, _ upkeep: inout Upkeep) throws {
        if !batch.isEmpty { try store(in: database) }
        let until = ContinuousClock.now + time
        while !stop.isSet, .now < until {
            stop.wait(min(.seconds(1), until - .now))
            try keepUp(database, &upkeep)
        }
    }

    private func beginPositions(_ database: SinkDatabase) throws {
        let now = ContinuousClock.now
        acks = AckQueue()
        for position in try database.positions() where configuration.shard.has(node: position.node) {
            acks.note(position)
            missing.note(position, at: now)
            if mode.asksForAll, position.highest > 0 {
                missing.askNow(
                    .init(site: position.site, node: position.node), epoch: position.epoch,
                    range: 1...position.highest, at: now)
            }
        }
    }

    private func connected() {
        metrics.update { $0.isBrokerUp = true }
        complaints = RepeatedComplaint()
        log.info(
            "connected to \(configuration.mqtt.host):\(configuration.mqtt.port), MQTT \(version == .v5 ? "5" : "3.1.1")"
        )
    }

    private func complain(_ text: String) {
        if complaints.isNew(text, at: .now) { log.warning("\(text)") }
    }
}
