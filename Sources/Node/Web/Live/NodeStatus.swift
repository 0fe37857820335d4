import Agent
import Configuration
import Contract
import Foundation
import HTTPServing
import History
import Messaging
import Records
import Synchronization

/// Collects what the page shows of the node and its cameras.
final class NodeStatus: Sendable {
    let node: Node
    let reports: CameraStatusBoard
    let feed: LiveFeed
    let pictures: AimPictures
    /// Where everything is done that blocks.
    let pool: WorkPool
    private let health: NodeHealth
    private let processor = Mutex(ProcessorTime())
    /// Today's totals of each camera as they were on disk.
    private let today = Mutex<(rows: [String: DayRow], at: ContinuousClock.Instant?)>(([:], nil))
    /// The oldest totals that are still shown.
    static let totalsAge = Duration.seconds(2)

    init(node: Node, reports: CameraStatusBoard, feed: LiveFeed, pictures: AimPictures, pool: WorkPool) {
        self.node = node
        self.reports = reports
        self.feed = feed
        self.pictures = pictures
        self.pool = pool
        health = NodeHealth(node: node, reports: reports)
    }

    var cameraIDs: [String] { node.configuration.cameras.map(\.id) }

    /// The whole node.
    ///
    /// - Parameter seesNames: whether it is for a person who may see the names of people.
    /// - Throws: ``WebFailure`` when the node is too busy.
    func node(for role: WebRole, seesNames: Bool) async throws -> NodeLive {
        await refreshTotals()
        let info = try await info()
        return NodeLive(
            node: NodeLive.Identity(
                id: info.node, name: info.name, site: info.site, version: Version.text, timeZone: timeZone.identifier),
            model: NodeLive.Model(
                name: info.model.id, labels: info.model.labels, exercises: info.model.exercises,
                names: info.model.names),
            role: role, pictures: node.configuration.web.pictures, now: Timestamp.milliseconds(Date()),
            viewers: feed.currentViewers().count, openSessions: node.storage.openSessions,
            cameras: cameraIDs.map { camera($0, seesNames: seesNames) }, madeUp: node.store.isMadeUp ? true : nil)
    }

    /// One camera, without waiting for anything.
    ///
    /// - Precondition: the configuration has this camera.
    func camera(_ id: String, seesNames: Bool) -> CameraLive {
        let settings = node.configuration.cameras.first { $0.id == id } ?? Configuration.Camera()
        let (report, live) = (reports.all[id], feed.state(of: id))
        let isOn = node.commands.switches.isOn(id)
        let isWatched = node.commands.sessionEnds.isPipelineRunning(id)
        let seen = isWatched && isOn
        let persons = (seen ? live.persons : []).map { person in
            var person = person
            person.fps = report?.personHz[person.track]?.rounded(decimals: 1)
            return person
        }
        return CameraLive(
            camera: id, name: settings.name, enabled: isOn, state: state(isOn, isWatched, live),
            width: live.size?.width,
            height: live.size?.height, people: seen ? report?.people ?? 0 : 0,
            label: seen ? report?.label ?? "starting" : "none",
            confidence: seen ? Double(report?.confidence ?? 0).rounded(decimals: 3) : 0,
            since: live.since.map(Timestamp.milliseconds), fps: (report?.rateHz ?? 0).rounded(decimals: 1),
            fpsIn: (report?.arrivingHz ?? 0).rounded(decimals: 1), stride: report?.skipped.stride ?? 1,
            dropped: report?.dropped ?? 0, skipped: report?.skipped.count ?? 0,
            time: live.time.map(Timestamp.milliseconds), persons: persons,
            workouts: workouts(of: id, seesNames: seesNames),
            problems: (report?.problems ?? [:]).sorted { $0.key < $1.key }.map(\.value),
            alarms: node.alarms.open.filter { $0.camera == id }, today: today.withLock { $0.rows[id] },
            picturesUntil: pictures.request(of: id).map { Timestamp.milliseconds($0.until) })
    }

    /// The workouts in front of a camera, as they may be shown.
    func workouts(of camera: String, seesNames: Bool) -> [WorkoutState] {
        let states = node.workouts.states(of: camera)
        return seesNames ? states : states.map(\.forEverybody)
    }

    private func state(_ isOn: Bool, _ isWatched: Bool, _ live: LiveFeed.CameraState) -> String {
        if !isOn { return "off" }
        if isWatched { return live.time == nil ? "starting" : "online" }
        return live.hasEnded ? "ended" : "offline"
    }

    /// Reads today's totals again when they are old. Without an answer the old ones stay.
    func refreshTotals() async {
        let now = ContinuousClock.now
        if let at = today.withLock({ $0.at }), now - at < Self.totalsAge { return }
        let zone = timeZone
        let rows = try? await query { query in
            try query.days(HistoryFilter(since: Calendar.gregorian(in: zone).startOfDay(for: Date())))
        }
        guard let rows else { return }
        today.withLock { $0 = (Dictionary(rows.map { ($0.camera, $0) }) { $1 }, now) }
    }

    /// The zone whose midnights separate the days.
    var timeZone: TimeZone { node.store.settings.timeZone }

    /// The node's description, as it is published. The machine's part of it is read from files.
    ///
    /// - Throws: ``WebFailure`` when the node is too busy.
    func info() async throws -> InfoPayload {
        try await pool.ask(.short) { [node] _ in
            var info = node.info()
            info.epoch = node.store.records.epoch
            info.seq = try node.store.records.lastSeq()
            return info
        }
    }

    /// The node's health, as it is published.
    ///
    /// - Throws: ``WebFailure`` when the node is too busy.
    func currentHealth() async throws -> HealthPayload {
        try await pool.ask(.short) { [self] _ in
            health.payload(health.problems(), processorPercent: processor.withLock { $0.percent() })
        }
    }

    /// Reads the history, since SQLite blocks.
    ///
    /// - Throws: ``WebFailure`` when the node is too busy, `HistoryError`, or the error of `body`.
    func query<Result: Sendable>(
        _ kind: WorkPool.Kind = .short, _ body: @escaping @Sendable (HistoryQuery) throws -> Result
    ) async throws -> Result {
        let path = node.store.path
        return try await pool.ask(kind) { stop in
            let query = try HistoryQuery(path: path)
            return try stop.interrupting(query.interrupt) { try body(query) }
        }
    }

    /// Answers from the history. The JSON is made in the pool, too: that of many rows takes a while.
    ///
    /// - Throws: as ``query(_:_:)``.
    func answer<Value: Encodable & SendableMetatype>(
        _ kind: WorkPool.Kind = .short, _ body: @escaping @Sendable (HistoryQuery) throws -> Value
    ) async throws -> HTTPResponse {
        try await query(kind) { try WebResponse.json(body($0)) }
    }

    /// Answers with a list. The header `X-Total-Count` says how many rows there are, in the list and beyond its end.
    ///
    /// - Parameter zone: the time zone of the times; `nil` for UTC.
    /// - Throws: ``WebFailure`` when the node is too busy, or the error of `body`.
    func answerList<Row: Encodable & SendableMetatype>(
        zone: TimeZone? = nil, _ body: @escaping @Sendable (HistoryQuery) throws -> (rows: [Row], count: RowCount)
    ) async throws -> HTTPResponse {
        try await query(.long) { query in
            let (rows, count) = try body(query)
            var response = try WebResponse.json(rows, zone: zone)
            let isMore = count.found > RowCount.maximum
            response.headers["X-Total-Count"] = isMore ? ">\(RowCount.maximum)" : "\(count.found)"
            return response
        }
    }

    /// Changes the history.
    ///
    /// - Throws: ``WebFailure`` when the node is too busy, `HistoryError`, or the error of `body`.
    func change<Result: Sendable>(_ body: @escaping @Sendable (Store) throws -> Result) async throws -> Result {
        let store = node.store
        return try await pool.change { try body(store) }
    }
}
