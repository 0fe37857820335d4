import Broker
import Foundation
import History

/// The messaging thread: runs one session after the other, with a growing, random delay between them.
///
/// Only its thread touches its state. ``PublisherShared`` is what callers touch.
final class MQTTReconnectLoop {
    let settings: MQTTSettings
    let topics: Topics
    let store: Store
    let shared: PublisherShared
    let log: MessagingLog
    var outgoing: OutgoingQueue
    var validator: CommandValidator
    var switches = SwitchQueue()
    /// `nil` when discovery is switched off.
    var discovery: Discovery?
    /// Whether discovery is switched off, but the broker still holds the description an earlier run published.
    private(set) var isDescriptionLeft = false
    /// Where the node publishes, and where it did before.
    var homes = FormerHomes(note: nil)
    /// Identifies this run of the program.
    let runId = String(UInt32.random(in: .min ... .max), radix: 16)
    var duplicates: DuplicateNodeDetector
    /// Whether the last established connection was closed from outside without a reason.
    private(set) var wasTornDown = false
    let files: CredentialFileWatch
    private var lastRecords: RecordSender?
    private var retry: RetryDelay
    private var version = MQTTClient.ProtocolVersion.v5
    /// Whether 3.1.1 is only a guess, because the broker did not answer MQTT 5.
    private var isGuess = false
    private var sid: Int64 = 0
    private var isSidUsed = true
    /// The topics at which the broker closes the connection.
    var closing = ClosingTopics()
    private var throttle = LogThrottle()
    private var complaints = RepeatedComplaint()

    init(settings: MQTTSettings, topics: Topics, store: Store, shared: PublisherShared, log: @escaping MessagingLog) {
        self.settings = settings
        self.topics = topics
        self.store = store
        self.shared = shared
        self.log = log
        validator = CommandValidator(topics: topics, settings: settings, log: store.commands)
        duplicates = DuplicateNodeDetector(run: runId)
        files = CredentialFileWatch(settings.broker.files, interval: settings.fileCheckInterval)
        outgoing = OutgoingQueue(
            topics: topics, commands: settings.commands, identity: store.identity, timeZone: store.settings.timeZone)
        retry = RetryDelay(first: settings.firstRetry, last: settings.lastRetry)
    }

    func run() {
        blockBrokenPipes()
        beginDiscovery()
        while stopBy == nil {
            let begin = ContinuousClock.now
            let end = runSession()
            outgoing.dropEphemeral(.now)
            guard stopBy == nil, let end else { return }
            let age = ContinuousClock.now - begin
            if age >= .seconds(60) {
                retry.reset()
                complaints = RepeatedComplaint()
            }
            if end.wasEstablished { wasTornDown = end.wasTornDown }
            if end.isWanted { continue }
            // The other node with this id, or a broker that restarts, is gone soon.
            if end.wasTornDown, age >= ClosingTopics.trialTime { retry.ease() }
            if leaveOut(after: end) { continue }
            // An old broker is no trouble: the next attempt speaks 3.1.1.
            if end.code != ReasonCode.unsupportedVersion { record(end) }
            guard !chooseVersion(after: end) else { continue }
            wait(retry.next(after: end.trouble, random: Double.random(in: 0...1)))
        }
    }

    /// The deadline for stopping; `nil` while the node runs.
    var stopBy: ContinuousClock.Instant? { shared.inbox.withLock { $0.stopBy } }

    /// Takes the callers' messages out of the mailbox.
    ///
    /// - Returns: whether there are new records.
    func absorb() -> Bool {
        let inbox = shared.inbox.withLock { $0.drain() }
        outgoing.absorb(inbox)
        let dropped = outgoing.dropped
        shared.report.withLock { $0.droppedEphemeral = dropped }
        return inbox.recordsAvailable
    }

    /// The record sender of the last session, which knows the requested replays; in the first session a new one.
    func records() throws -> RecordSender {
        try lastRecords ?? RecordSender(log: store.records, consumers: settings.consumers, store: store)
    }

    func remember(_ records: RecordSender) { lastRecords = records }

    private func beginDiscovery() {
        do {
            homes = FormerHomes(note: try store.value(of: .homes))
            guard settings.discovery else {
                return isDescriptionLeft = try store.value(of: .discovery)?.isEmpty == false
            }
            discovery = try Discovery(
                topics: topics, commands: settings.commands, words: settings.words, store: store)
        } catch {
            log(.warning, "discovery by Home Assistant could not be started: \(error)")
        }
    }

    /// Updates the description for Home Assistant.
    ///
    /// - Returns: whether the description must be published.
    func describe() -> Bool {
        guard let info = outgoing.info, discovery?.describe(info) == true else { return false }
        do {
            try discovery?.writeDown()
        } catch {
            log(
                .warning, "the description for Home Assistant could not be stored; the next change stores it: \(error)"
            )
        }
        return true
    }

    /// Records that the broker has removed the description.
    func forgetDescription() throws {
        try store.write("", as: .discovery)
        isDescriptionLeft = false
    }

    /// Sets a first value for every camera topic without one, so that values of an earlier run are replaced at the
    /// broker.
    func beginCameras(_ wall: Date) {
        guard let info = outgoing.info else { return }
        var calendar = DayCalendar(timeZone: store.settings.timeZone)
        let day = calendar.day(of: wall)
        for camera in info.cameras {
            do {
                try outgoing.begin(camera, wall) { try store.query.day(day, camera: camera.id) }
            } catch {
                complain("the totals of \(camera.id) could not be read: \(error)", key: "totals")
            }
        }
    }

    /// Logs a warning that may recur: once a minute, then with the number of repetitions.
    func complain(_ text: String, key: String) {
        if let line = throttle.line(text, key: key, at: .now) { log(.warning, line) }
    }

    /// Logs summaries of warnings held back for long enough.
    func summarizeComplaints() {
        for line in throttle.summaries(at: .now) { log(.warning, line) }
    }

    /// Runs one session, from connecting to its end.
    ///
    /// - Returns: why the connection ended; `nil` when the node stops.
    private func runSession() -> MQTTSession.End? {
        do {
            let session = try MQTTSession(loop: self, sid: nextSid(), version: version)
            try session.connect()
            isSidUsed = true
            duplicates.connecting(sid: sid)
            return session.run()
        } catch let error as BrokerError {
            if case .library(let action, let reason) = error {
                // The error's own advice is left out, because the remedy for the trouble is more specific.
                return MQTTSession.End(
                    code: 0, trouble: ConnectionTrouble(code: 0, reason: reason), reason: "\(action): \(reason)")
            }
            return MQTTSession.End(code: 0, trouble: .badSettings, reason: String(describing: error))
        } catch {
            return MQTTSession.End(code: 0, trouble: .unreachable, reason: String(describing: error))
        }
    }

    /// A connection number that was never used. When the history cannot store it, the node connects all the same, with
    /// the last number plus one.
    private func nextSid() -> Int64 {
        guard isSidUsed else { return sid }
        isSidUsed = false
        do {
            sid = max(sid + 1, try store.nextConnectionId())
        } catch {
            sid += 1
            log(.warning, "the connection number could not be stored: \(error)")
        }
        let now = sid
        shared.report.withLock { $0.sid = now }
        return sid
    }

    /// Falls back to MQTT 3.1.1. Some old brokers refuse MQTT 5 with the right code. Others close the connection or do
    /// not answer; these are tried with 3.1.1 at once. Such a guess holds for one connection, because the broker may
    /// only have been starting.
    ///
    /// - Returns: whether to try again at once.
    private func chooseVersion(after end: MQTTSession.End) -> Bool {
        if version == .v5, end.code == ReasonCode.unsupportedVersion {
            version = .v311
            log(.info, "the broker speaks MQTT 3.1.1 only; going on with that")
            return true
        }
        let wasGuess = isGuess
        isGuess = version == .v5 && end.wasSilent && end.trouble == .unreachable
        if isGuess { version = .v311 } else if wasGuess { version = .v5 }
        return isGuess
    }

    /// Waits for `delay`, and empties the mailbox meanwhile.
    private func wait(_ delay: Duration) {
        let until = ContinuousClock.now + delay
        while stopBy == nil, .now < until {
            shared.wake.wait(min(.seconds(5), until - .now))
            _ = absorb()
            outgoing.dropEphemeral(.now)
            summarizeComplaints()
        }
    }

    /// Leaves a topic out at which the broker closed the connection again and again.
    ///
    /// - Returns: whether it does so from now on; then the next attempt is made at once.
    private func leaveOut(after end: MQTTSession.End) -> Bool {
        let isRefusal = end.wasEstablished && ReasonCode.ofPackets.contains(end.code)
        guard end.wasTornDown || isRefusal, let topic = closing.lost(.now, isRefusal: isRefusal) else { return false }
        let text = leftOutText(topic)
        log(.warning, text)
        return true
    }

    /// What an operator is told of a topic that is left out.
    func leftOutText(_ topic: String) -> String {
        let isDiscovery = topic.hasPrefix(Discovery.prefix)
        return "the broker closes the connection at \(topic), so this topic is left out: allow it in the broker's ACL"
            + (isDiscovery ? ", or set mqtt.discovery = false" : "") + "; it is tried again from time to time"
    }

    /// Logs why there is no connection: once when the reason is new, then every ten minutes.
    private func record(_ end: MQTTSession.End) {
        shared.report.withLock { report in
            report.isOnline = false
            let since = report.problem?.code == end.trouble.rawValue ? report.problem?.since : nil
            report.problem = Problem(
                code: end.trouble.rawValue, since: since ?? Date(), message: "\(end.reason): \(end.remedy)")
        }
        guard complaints.isNew(end.reason, at: .now) else { return }
        log(.warning, "no MQTT connection (\(end.reason)): \(end.remedy)")
    }

    func connected() {
        closing.begin(.now)
        let number = version == .v5 ? 5 : 3
        shared.report.withLock { $0.protocolVersion = number }
        log(.info, "connected to \(settings.host):\(settings.port), MQTT \(number == 5 ? "5" : "3.1.1"), sid \(sid)")
    }

    /// A broker that closes the connection during a write must not end the process.
    private func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
