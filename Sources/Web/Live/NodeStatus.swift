import Agent
import Configuration
import Foundation
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
    private let health: NodeHealth
    private let processor = Mutex(ProcessorTime())
    private let today = Mutex<[String: (row: DayRow?, at: ContinuousClock.Instant)]>([:])
    /// The oldest totals that are still shown.
    private static let totalsAge = Duration.seconds(2)

    init(node: Node, reports: CameraStatusBoard, feed: LiveFeed, pictures: AimPictures) {
        self.node = node
        self.reports = reports
        self.feed = feed
        self.pictures = pictures
        health = NodeHealth(node: node, reports: reports)
    }

    var cameraIDs: [String] { node.configuration.cameras.map(\.id) }

    /// The whole node.
    func node(for role: WebRole) async -> NodeLive {
        let info = node.info()
        var cameras: [CameraLive] = []
        for id in cameraIDs { cameras.append(await camera(id)) }
        return NodeLive(
            node: NodeLive.Identity(
                id: info.node, name: info.name, site: info.site, version: Version.text, timeZone: timeZone.identifier),
            model: NodeLive.Model(name: info.model.id, labels: info.model.labels, exercises: info.model.exercises),
            role: role, pictures: node.configuration.web.pictures, now: Timestamp.milliseconds(Date()),
            viewers: feed.currentViewers().count, cameras: cameras)
    }

    /// One camera.
    ///
    /// - Precondition: the configuration has this camera.
    func camera(_ id: String) async -> CameraLive {
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
            workouts: node.workouts.states(of: id),
            problems: (report?.problems ?? [:]).sorted { $0.key < $1.key }.map(\.value), today: await totals(of: id),
            picturesUntil: pictures.request(of: id).map { Timestamp.milliseconds($0.until) })
    }

    private func state(_ isOn: Bool, _ isWatched: Bool, _ live: LiveFeed.CameraState) -> String {
        if !isOn { return "off" }
        if isWatched { return live.time == nil ? "starting" : "online" }
        return live.hasEnded ? "ended" : "offline"
    }

    /// Today's totals as they are on disk; `nil` before the first.
    private func totals(of camera: String) async -> DayRow? {
        let now = ContinuousClock.now
        if let kept = today.withLock({ $0[camera] }), now - kept.at < Self.totalsAge { return kept.row }
        let row = try? await query { [timeZone] query in
            let day = TypedMoment("0h").day(in: timeZone)
            return try query.days(DayFilter(from: day, camera: camera, limit: 1)).first
        }
        today.withLock { $0[camera] = (row ?? nil, now) }
        return row ?? nil
    }

    /// The zone whose midnights separate the days.
    var timeZone: TimeZone { node.store.settings.timeZone }

    /// The node's health, as it is published.
    func currentHealth() -> HealthPayload {
        health.payload(health.problems(), processorPercent: processor.withLock { $0.percent() })
    }

    /// Reads the history on a thread of its own, since SQLite blocks.
    ///
    /// - Throws: `HistoryError`, or the error of `body`.
    func query<Result: Sendable>(_ body: @escaping @Sendable (HistoryQuery) throws -> Result) async throws -> Result {
        let path = node.store.path
        return try await onQueue { try body(HistoryQuery(path: path)) }
    }

    /// Changes the history on a thread of its own, since SQLite blocks.
    ///
    /// - Throws: `HistoryError`, or the error of `body`.
    func change<Result: Sendable>(_ body: @escaping @Sendable (Store) throws -> Result) async throws -> Result {
        let store = node.store
        return try await onQueue { try body(store) }
    }

    /// Runs what blocks on a thread of its own, away from Swift's cooperative threads.
    func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Concurrent: a long query must not delay the others' short ones.
    private static let queue = DispatchQueue(label: "web", attributes: .concurrent)
}
