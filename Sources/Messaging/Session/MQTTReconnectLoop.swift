import Foundation
import History

/// The messaging thread: one life of a connection after the other, with a growing, random wait between them.
///
/// Everything it holds belongs to its thread; the callers' side is ``PublisherShared``.
final class MQTTReconnectLoop {
    let settings: MQTTSettings
    let topics: Topics
    let store: Store
    let shared: PublisherShared
    let log: MessagingLog
    var outgoing: OutgoingQueue
    var validator: CommandValidator
    var switches = SwitchQueue()
    /// `nil` when Home Assistant is not to be told.
    var discovery: Discovery?
    /// Whether Home Assistant was told of this node before discovery was switched off, and still has to forget it.
    private(set) var isDescriptionLeft = false
    /// Distinguishes this run of the program from all others.
    let runId = String(UInt32.random(in: .min ... .max), radix: 16)
    var duplicates: DuplicateNodeDetector
    /// Whether the last connection that stood was closed from outside without a reason.
    private(set) var wasTornDown = false
    let files: CredentialFileWatch
    private var lastRecords: RecordSender?
    private var retry: RetryDelay
    private var version = MQTTClient.ProtocolVersion.v5
    /// Whether 3.1.1 is only a guess, because the broker said nothing to MQTT 5.
    private var isGuess = false
    private var sid: Int64 = 0
    private var isSidUsed = true
    private var throttle = LogThrottle()
    private var lastComplaint: (text: String, at: ContinuousClock.Instant)?

    init(settings: MQTTSettings, topics: Topics, store: Store, shared: PublisherShared, log: @escaping MessagingLog) {
        self.settings = settings
        self.topics = topics
        self.store = store
        self.shared = shared
        self.log = log
        validator = CommandValidator(topics: topics, settings: settings, log: store.commands)
        duplicates = DuplicateNodeDetector(run: runId)
        files = CredentialFileWatch(settings.files, interval: settings.fileCheckInterval)
        outgoing = OutgoingQueue(
            topics: topics, commands: settings.commands, identity: store.identity, timeZone: store.settings.timeZone)
        retry = RetryDelay(first: settings.firstRetry, last: settings.lastRetry)
    }

    func run() {
        blockBrokenPipes()
        beginDiscovery()
        while stopBy == nil {
            let begin = ContinuousClock.now
            let end = liveOnce()
            outgoing.dropEphemeral(.now)
            guard stopBy == nil, let end else { return }
            let age = ContinuousClock.now - begin
            if age >= .seconds(60) { retry.reset() }
            if end.wasEstablished { wasTornDown = end.wasTornDown }
            if end.isWanted { continue }
            if end.wasTornDown { retry.ease() }
            record(end)
            guard !chooseVersion(after: end) else { continue }
            wait(retry.next(after: end.trouble, random: Double.random(in: 0...1)))
        }
    }

    /// The moment by which everything must be said; `nil` while the node runs on.
    var stopBy: ContinuousClock.Instant? { shared.inbox.withLock { $0.stopBy } }

    /// Takes what the callers left.
    func absorb() -> Bool {
        let inbox = shared.inbox.withLock { $0.drain() }
        outgoing.absorb(inbox)
        let dropped = outgoing.dropped
        shared.report.withLock { $0.droppedEphemeral = dropped }
        return inbox.recordsAvailable
    }

    /// The sender of the last life, which knows what was asked for again; a new one in the first.
    func records() throws -> RecordSender {
        try lastRecords ?? RecordSender(log: store.records, consumers: settings.consumers, store: store)
    }

    func remember(_ records: RecordSender) { lastRecords = records }

    private func beginDiscovery() {
        do {
            guard settings.discovery else {
                return isDescriptionLeft = try store.value(of: .discovery)?.isEmpty == false
            }
            discovery = try Discovery(topics: topics, commands: settings.commands, store: store)
        } catch {
            log(.warning, "Home Assistant is not told of this node: \(error)")
        }
    }

    /// - Returns: whether Home Assistant has to hear something new.
    func describe() -> Bool {
        guard let info = outgoing.info, discovery?.describe(info) == true else { return false }
        do {
            try discovery?.writeDown()
        } catch {
            log(
                .warning, "what Home Assistant was told could not be stored, and is stored at the next change: \(error)"
            )
        }
        return true
    }

    /// Home Assistant has forgotten this node.
    func forgetDescription() throws {
        try store.write("", as: .discovery)
        isDescriptionLeft = false
    }

    /// Replaces what an earlier run left at the broker, for cameras of which nothing was said yet.
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

    /// Logs a warning that may come again and again: once a minute, with the number of those held back.
    func complain(_ text: String, key: String) {
        if let line = throttle.line(text, key: key, at: .now) { log(.warning, line) }
    }

    /// Logs what was held back for long enough.
    func summarizeComplaints() {
        for line in throttle.summaries(at: .now) { log(.warning, line) }
    }

    /// - Returns: why the connection ended; `nil` when the node stops.
    private func liveOnce() -> MQTTSession.End? {
        do {
            let life = try MQTTSession(loop: self, sid: nextSid(), version: version)
            try life.connect()
            isSidUsed = true
            duplicates.connecting(sid: sid)
            return life.run()
        } catch let error as MessagingError {
            if case .library(let action, let reason) = error {
                // Without the error's own advice: the trouble's remedy knows more.
                return MQTTSession.End(
                    code: 0, trouble: ConnectionTrouble(code: 0, reason: reason), reason: "\(action): \(reason)")
            }
            return MQTTSession.End(code: 0, trouble: .badSettings, reason: String(describing: error))
        } catch {
            return MQTTSession.End(code: 0, trouble: .unreachable, reason: String(describing: error))
        }
    }

    /// A number that was never in a CONNECT. Should the history not take it, the connection counts more than the
    /// number's memory: the next one is one higher all the same.
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

    /// Some old brokers refuse MQTT 5 properly; some hang up or say nothing, and are tried with 3.1.1 at once. A guess
    /// holds for one connection: the broker may only have been starting.
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

    /// Waits, taking in what the callers leave, so that their boxes stay small.
    private func wait(_ delay: Duration) {
        let until = ContinuousClock.now + delay
        while stopBy == nil, .now < until {
            shared.wake.wait(min(.seconds(5), until - .now))
            _ = absorb()
            outgoing.dropEphemeral(.now)
            summarizeComplaints()
        }
    }

    /// One line when the reason is new, and then every ten minutes.
    private func record(_ end: MQTTSession.End) {
        let now = ContinuousClock.now
        shared.report.withLock { report in
            report.isOnline = false
            let since = report.problem?.code == end.trouble.rawValue ? report.problem?.since : nil
            report.problem = Problem(
                code: end.trouble.rawValue, since: since ?? Date(), message: "\(end.reason): \(end.trouble.remedy)")
        }
        if let lastComplaint, lastComplaint.text == end.reason, now - lastComplaint.at < .seconds(600) { return }
        lastComplaint = (end.reason, now)
        log(.warning, "no MQTT connection (\(end.reason)): \(end.trouble.remedy)")
    }

    func connected() {
        lastComplaint = nil
        let number = version == .v5 ? 5 : 3
        shared.report.withLock { $0.protocolVersion = number }
        log(.info, "connected to \(settings.host):\(settings.port), MQTT \(number == 5 ? "5" : "3.1.1"), sid \(sid)")
    }

    /// A broker that hangs up while we write must not end the process.
    private func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
