import Foundation
import History
import Synchronization

/// Tells the world what the node sees: the node's side of the MQTT contract.
///
/// No call waits for the network or fails: values are left for the messaging thread, which connects when a broker is
/// there, goes on trying when none is, and drops (and counts) what is of no use later. Records come from the history.
public final class Publisher: Sendable {
    private let settings: MQTTSettings
    private let topics: Topics
    private let store: Store
    private let shared: PublisherShared
    private let log: MessagingLog

    /// - Parameters:
    ///   - store: the history whose record log is sent, and which numbers the connections; must stay open until
    ///     ``stop(within:)`` has returned.
    ///   - log: takes what an operator should read.
    /// - Throws: ``MessagingError`` for settings that cannot work.
    public init(settings: MQTTSettings, store: Store, log: @escaping MessagingLog) throws {
        try settings.validate()
        self.settings = settings
        self.store = store
        self.log = log
        topics = try Topics(prefix: settings.prefix, site: settings.site, node: settings.node ?? store.identity.node)
        shared = PublisherShared(wake: try SelfPipe())
    }

    /// Who carries out what the node itself is commanded to do; to be named before ``start()``.
    public func onCommand(_ handler: @escaping NodeCommandHandler) { shared.onCommand(handler) }

    /// Starts the messaging thread; to be called once.
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

    /// The birth document; sent at every connect, and again when it changes.
    public func info(_ info: InfoPayload) { enqueue { $0.info = info } }

    public func cameraStatus(_ status: CameraStatus, camera: String) {
        enqueue { $0.set(.status(status), camera: camera) }
    }

    /// What happens before a camera; to be called with every prediction: what repeats itself is not sent.
    public func cameraState(_ state: CameraState, camera: String) { enqueue { $0.set(.state(state), camera: camera) } }

    /// Whether the camera is switched on, by configuration or command.
    public func cameraEnabled(_ isOn: Bool, camera: String) { enqueue { $0.set(.enabled(isOn), camera: camera) } }

    /// A day's totals, as a commit gave them back: nothing is told that is not on disk.
    public func counts(_ row: DayRow) { enqueue { $0.set(.counts(row), camera: row.camera) } }

    /// One prediction; sent only when `live` is switched on.
    public func prediction(_ prediction: LivePrediction, camera: String) {
        guard settings.live else { return }
        var prediction = prediction
        if !settings.keypoints { prediction.keypoints = nil }
        enqueue { $0.add(prediction, camera: camera) }
    }

    /// A moment; dropped when no connection comes within 30 s. A session's end belongs here after its commit only.
    public func event(_ event: CameraEvent) { enqueue { $0.add(event, at: .now) } }

    /// A picture somebody asked for with the command `preview`: JPEG, dropped when there is no connection.
    public func preview(_ picture: [UInt8], camera: String) { enqueue { $0.add(preview: picture, camera: camera) } }

    /// A warning or an error; sent only when `log` is switched on.
    public func log(_ line: LogPayload) {
        guard settings.log else { return }
        enqueue { $0.add(line) }
    }

    /// The heartbeat, to be called every 30 s; its `mqtt` and `outbox` are filled in here.
    public func health(_ payload: HealthPayload) { enqueue { $0.health = payload } }

    /// New records stand in the log; to be called after a commit that wrote some.
    public func recordsAvailable() { enqueue { $0.recordsAvailable = true } }

    /// How it is going, now.
    public var report: ConnectionReport { shared.report.withLock { $0 } }

    /// Sends what is left, says `stopped`, and disconnects; returns when that is done or the time is up, whatever the
    /// network does.
    public func stop(within limit: Duration = .milliseconds(1300)) async {
        guard shared.isStarted.withLock({ $0 }) else { return }
        enqueue { if $0.stopBy == nil { $0.stopBy = .now + limit } }
        await shared.waitUntilFinished(atMost: limit + .milliseconds(200))
    }

    private func enqueue(_ change: (inout PublisherMailbox) -> Void) { shared.enqueue(change) }
}

/// What the callers and the messaging thread both touch, each behind its lock.
final class PublisherShared: Sendable {
    let inbox = Mutex(PublisherMailbox())
    let report = Mutex(ConnectionReport())
    let isStarted = Mutex(false)
    let wake: SelfPipe
    private let end = Mutex(End())

    private let handler = Mutex<NodeCommandHandler?>(nil)

    init(wake: SelfPipe) { self.wake = wake }

    func enqueue(_ change: (inout PublisherMailbox) -> Void) {
        inbox.withLock { change(&$0) }
        wake.ring()
    }

    func onCommand(_ new: @escaping NodeCommandHandler) { handler.withLock { $0 = new } }

    /// Hands a command to the node's other parts; what came of it arrives in the inbox.
    ///
    /// - Returns: whether there is anybody to carry it out.
    func carryOut(_ command: NodeCommand, _ ticket: CommandTicket) -> Bool {
        guard let handler = handler.withLock({ $0 }) else { return false }
        handler(command) { [self] outcome in enqueue { $0.add(outcome, of: ticket) } }
        return true
    }

    /// The thread is through.
    func finish() { release(isFinished: true) }

    func waitUntilFinished(atMost limit: Duration) async {
        let (seconds, attoseconds) = limit.components
        let deadline = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18
        // The thread may hang in a name lookup, which nobody can interrupt; the process ends without it.
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
