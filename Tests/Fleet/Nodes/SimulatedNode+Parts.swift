import Foundation
import History
import Messaging

extension SimulatedNode {
    private static let zones = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Pacific/Auckland", "UTC"]

    static func id(_ number: Int) -> String { "sp-n" + FleetSettings.padded(number) }

    static func path(_ number: Int, _ settings: FleetSettings) -> String {
        settings.folder.appendingPathComponent(id(number)).appendingPathComponent("spotter.db").path
    }

    var cameras: [String] { number % 4 == 0 ? ["rack-1", "mat-1"] : ["rack-1"] }

    var site: String { settings.site(of: number) }

    static func store(_ number: Int, _ settings: FleetSettings) throws -> Store {
        let zone = TimeZone(identifier: zones[(number / settings.nodesPerSite) % zones.count]) ?? .gmt
        let history = HistorySettings(timeZone: zone, commitInterval: settings.commitInterval, nodeId: id(number))
        return try Store(path: path(number, settings), settings: history, wall: Date(), clock: clock())
    }

    static func publisher(_ number: Int, _ settings: FleetSettings, store: Store) throws -> Publisher {
        let name = id(number)
        var mqtt = MQTTSettings(
            host: settings.host, port: settings.ports[number % settings.ports.count],
            username: settings.passwordFile == nil ? nil : name, passwordFile: settings.passwordFile,
            site: settings.site(of: number), node: name, lastRetry: settings.lastRetry)
        mqtt.consumers = ["hq"]
        mqtt.discovery = false
        return try Publisher(settings: mqtt, store: store) { level, text in
            if level != .info { Lines.log("\(name): \(text)") }
        }
    }

    /// A clock that is kept right: in a container the kernel often says that nobody does.
    static func clock() -> ClockReading {
        var reading = ClockReading.now()
        reading.state = .synced
        return reading
    }

    var info: InfoPayload {
        let labels = ["squat", "lunge", "push_up", "deadlift", "bench_press", "sit_up", "jumping_jack"]
        return InfoPayload(
            node: id, site: site, name: "Node \(number)", timeZone: store.settings.timeZone, sw: "fleet",
            boot: BootId.current(),
            started: settings.began,
            model: InfoPayload.Model(
                id: "gym14", sha256: "9f2c41", labels: labels + ["plank"], window: 60, stride: 10,
                fps: SessionPlan.framesPerSecond, minConfidence: 0.6, minPoseRatio: 0.6, exercises: labels + ["plank"],
                repetitions: labels),
            cameras: cameras.map { camera in
                InfoPayload.Camera(
                    id: camera, name: camera, source: "usb", width: 1280, height: 720,
                    fps: SessionPlan.framesPerSecond, zones: ["\(camera)-left"])
            },
            configSha256: "51d0aa",
            host: InfoPayload.Host(model: "Simulated", os: "Debian 12", arch: "amd64", temperature: false))
    }

    func health(_ now: ContinuousClock.Instant) -> HealthPayload {
        var payload = HealthPayload(
            ts: Date(), uptimeSeconds: max(0, Int((now - settings.start).inSeconds)),
            problems: publisher.report.problems, cams: [:])
        payload.commits = store.commits
        return payload
    }
}
