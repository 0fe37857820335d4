import Broker
import Contract
import Foundation
import History
import Synchronization

/// Publishes what the node sees: the node's side of the MQTT contract.
///
/// No call blocks on the network or fails. Values are left for the messaging thread, which connects, retries while
/// there is no broker, and drops (and counts) messages that are of no use later. Records are read from the history.
public final class Publisher: Sendable {
    private let settings: MQTTSettings
    private let topics: Topics
    private let store: Store
    private let shared: PublisherShared
    private let log: MessagingLog

    /// Prepares publishing; ``start()`` begins it.
    ///
    /// - Parameters:
    ///   - store: the history whose record log is sent, and which numbers the connections. It must stay open until
    ///     ``stop(within:)`` has returned.
    ///   - log: receives log lines for the operator.
    /// - Throws: ``BrokerError`` for settings that cannot work.
    public init(settings: MQTTSettings, store: Store, log: @escaping MessagingLog) throws {
        try settings.validate()
        self.settings = settings
        self.store = store
        self.log = log
        topics = try Topics(prefix: settings.prefix, site: settings.site, node: settings.node ?? store.identity.node)
        shared = PublisherShared(wake: try SelfPipe())
    }

    /// Sets the handler for commands that other parts of the node carry out. Call this before ``start()``.
    public func onCommand(_ handler: @escaping CommandHandler) { shared.onCommand(handler) }

    /// Starts the messaging thread. Call this once.
    public func start() {
        let (settings, topics, store, shared, log) = (settings, topics, store, shared, log)
        let thread = Thread {
            MQTTReconnectLoop(settings: settings, topics: topics, store: store, shared: shared, log: log).run()
            shared.finish()
        }
        thread.name = "spotter-mqtt"
        shared.isStarted.withLock { $0 = true }
        thread.start()
    }

    /// Sets the birth document, which is published at every connect and when it changes.
    public func info(_ info: InfoPayload) { enqueue { $0.info = info } }

    /// Sets a camera's status. It is published when it changes.
    public func cameraStatus(_ status: CameraStatus, camera: String) {
        enqueue { $0.set(.status(status), camera: camera) }
    }

    /// Sets what happens in front of a camera. Call this with every prediction; an unchanged state is published only
    /// once a minute.
    public func cameraState(_ state: CameraState, camera: String) { enqueue { $0.set(.state(state), camera: camera) } }

    /// Sets the workouts in front of a camera.
    public func workouts(_ workouts: CameraWorkouts, camera: String) {
        enqueue { $0.set(.workouts(workouts), camera: camera) }
    }

    /// Sets whether the camera is switched on, by configuration or command.
    public func cameraEnabled(_ isOn: Bool, camera: String) { enqueue { $0.set(.enabled(isOn), camera: camera) } }

    /// Sets a day's totals. Pass the totals a commit returned, so that nothing is published that is not on disk.
    public func counts(_ row: DayRow) { enqueue { $0.set(.counts(row), camera: row.camera) } }

    /// Publishes one prediction, if `live` is switched on.
    public func prediction(_ prediction: LivePrediction, camera: String) {
        guard settings.live else { return }
        var prediction = prediction
        if !settings.keypoints { prediction.keypoints = nil }
        enqueue { $0.add(prediction, camera: camera) }
    }

    /// Publishes an event. It is dropped when there is no connection within 30 s. Call this for a session's end only
    /// after its commit.
    public func event(_ event: CameraEvent) { enqueue { $0.add(event, at: .now) } }

    /// Publishes an image requested by the command `preview`: JPEG. It is dropped when there is no connection.
    public func preview(_ picture: [UInt8], camera: String) { enqueue { $0.add(preview: picture, camera: camera) } }

    /// Publishes a warning or an error, if `log` is switched on.
    public func log(_ line: LogPayload) {
        guard settings.log else { return }
        enqueue { $0.add(line) }
    }

    /// Publishes the heartbeat. Call this every 30 s; `mqtt` and `outbox` are those of the moment of sending.
    public func health(_ payload: HealthPayload) { enqueue { $0.health = payload } }

    /// Sets how many people there are. It is published when it changes, and once a minute.
    public func occupancy(_ occupancy: OccupancyPayload) { enqueue { $0.set(.occupancy(occupancy), camera: "") } }

    /// Sets the open alarms. They are published when they change.
    package func alarms(_ open: [Alarm]) { enqueue { $0.set(.alarm(AlarmPayload(open, ts: Date())), camera: "") } }

    /// Signals that the record log has new records. Call this after a commit that wrote some.
    public func recordsAvailable() { enqueue { $0.recordsAvailable = true } }

    /// The current state of the connection.
    public var report: ConnectionReport { shared.report.withLock { $0 } }

    /// The connection and the records that wait, for clients that ask the node itself. The position of a broker is the newest,
    /// that of consumers the stored one.
    ///
    /// - Throws: `HistoryError`.
    package func health(wall: Date) throws -> (HealthPayload.Connection, HealthPayload.Outbox) {
        let (report, log) = (report, store.records)
        let receivers = settings.consumers.isEmpty ? [RecordLog.broker] : settings.consumers
        var acked: [String: Int64] = [:]
        for receiver in receivers { acked[receiver] = try log.cursor(of: receiver) }
        if settings.consumers.isEmpty { acked[RecordLog.broker] = max(report.ackedSeq, acked[RecordLog.broker] ?? 0) }
        return (HealthPayload.Connection(report), try HealthPayload.Outbox(log, acked: acked, wall: wall))
    }

    /// Sends what is left, publishes the status `stopped`, and disconnects. Returns when that is done or shortly after
    /// `limit`, whatever the network does.
    public func stop(within limit: Duration = .milliseconds(1300)) async {
        guard shared.isStarted.withLock({ $0 }) else { return }
        enqueue { if $0.stopBy == nil { $0.stopBy = .now + limit } }
        await shared.waitUntilFinished(atMost: limit + .milliseconds(200))
    }

    private func enqueue(_ change: (inout PublisherMailbox) -> Void) { shared.enqueue(change) }
}

/// The state that callers and the messaging thread share, each part behind its lock.
final class PublisherShared: Sendable {
    let inbox = Mutex(PublisherMailbox())
    let report = Mutex(ConnectionReport())
    let isStarted = Mutex(false)
    let wake: SelfPipe
    private let end = Mutex(End())

    private let handler = Mutex<CommandHandler?>(nil)

    init(wake: SelfPipe) { self.wake = wake }

    func enqueue(_ change: (inout PublisherMailbox) -> Void) {
        inbox.withLock { change(&$0) }
        wake.ring()
    }

    func onCommand(_ new: @escaping CommandHandler) { handler.withLock { $0 = new } }

    /// Passes a command to the handler; the outcome arrives in the inbox.
    ///
    /// - Returns: whether there is a handler.
    func carryOut(_ command: AgentCommand, _ ticket: CommandTicket) -> Bool {
        guard let handler = handler.withLock({ $0 }) else { return false }
        handler(command) { [self] outcome in enqueue { $0.add(outcome, of: ticket) } }
        return true
    }

    /// Signals that the messaging thread has ended.
    func finish() { release(isFinished: true) }

    func waitUntilFinished(atMost limit: Duration) async {
        let (seconds, attoseconds) = limit.components
        let deadline = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18
        // The thread may hang in a name lookup, which cannot be interrupted. The process then ends without waiting for
        // it.
        DispatchQueue.global().asyncAfter(deadline: deadline) { self.release(isFinished: false) }
        await withCheckedContinuation { continuation in
            let isOver = end.withLock { end in
                if !end.isFinished { end.waiting.append(continuation) }
                return end.isFinished
            }
            if isOver { continuation.resume() }
        }
    }

    private func release(isFinished: Bool) {
        let waiting = end.withLock { end in
            if isFinished { end.isFinished = true }
            defer { end.waiting = [] }
            return end.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private struct End {
        var isFinished = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
}
