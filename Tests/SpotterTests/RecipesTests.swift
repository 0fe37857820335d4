import Foundation
import TestSupport
import Testing

/// The files for Home Assistant and Grafana against what a node publishes and exports.
@Suite final class RecipesTests {
    private let folder: TemporaryFolder
    private let broker: Broker
    private let metricsPort = Ports.free()
    private let node: Child

    init() throws {
        folder = try TemporaryFolder()
        broker = try Broker(in: folder.url)
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "60", "-o", folder.file("made").path)
        try #require(made.status == 0, "\(made.messages)")
        let text = """
            node.site = "berlin"
            node.id = "sp-k3v9q2m1xa"
            mqtt.port = \(broker.port)
            metrics.enabled = true
            metrics.port = \(metricsPort)
            alarm.enabled = true
            history.path = "\(folder.file("spotter.db").path)"
            [[camera]]
            id = "rack-1"
            source = "\(folder.file("made/squat/squat_0.poses.jsonl").path)"
            """
        try Data(text.utf8).write(to: folder.file("config.toml"))
        node = try Program.start(["run", "--config", folder.file("config.toml").path, "--realtime", "--quiet"])
    }

    deinit { node.kill() }

    private static func text(_ file: String) throws -> String {
        try String(contentsOf: Program.root.appending(path: file), encoding: .utf8)
    }

    @Test func `every entity of the files for Home Assistant is one that a node describes`() throws {
        let topic = "homeassistant/device/spotter_sp-k3v9q2m1xa/config"
        let told = try Program.tool(
            "mosquitto_sub", ["-p", "\(broker.port)", "-t", topic, "-C", "1", "-W", "120"])
        let root = try #require(JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: Any])
        let components = try #require(root["components"] as? [String: [String: Any]])
        let shown = components.values.filter { $0["enabled_by_default"] as? Bool != false }
        let known = Set(shown.compactMap { $0["default_entity_id"] as? String })
        for file in ["automations.yaml", "dashboard.yaml"] {
            let entities = try Self.text("deploy/home-assistant/\(file)")
                .matches(of: #/\b[a-z_]+\.sp_[a-z0-9_]+/#).map { String($0.output) }
            #expect(!entities.isEmpty, "\(file)")
            for entity in entities { #expect(known.contains(entity), "\(file): \(entity)") }
        }
    }

    @Test func `every metric of the dashboard is one that a node exports, and every panel has its own id`() throws {
        let file = try Self.text("deploy/grafana/node.json")
        let board = try #require(JSONSerialization.jsonObject(with: Data(file.utf8)) as? [String: Any])
        let panels = try #require(board["panels"] as? [[String: Any]])
        let ids = panels.compactMap { $0["id"] as? Int }
        #expect(ids.count == panels.count && Set(ids).count == ids.count, "\(ids)")
        let expressions = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap {
            $0["expr"] as? String
        }
        #expect(expressions.count > 15)
        let used = Set(
            expressions.flatMap { $0.matches(of: #/\b(?:spotter|process)_[a-z_]+/#).map { String($0.output) } })
        let exported = try exportedNames()
        // This machine may have no sensor, and no session ends while the recording goes on.
        for name in used where !["spotter_temperature_celsius", "spotter_sessions_total"].contains(name) {
            #expect(exported.contains(name), "\(name)")
        }
        let source = try Self.text("Sources/Node/Agent/Metrics/NodeMetrics.swift")
        for name in used where name.hasPrefix("spotter") {
            #expect(source.contains("\"\(name.replacing("_bucket", with: ""))\""), "\(name)")
        }
    }

    /// The names of the metrics that the node exports once its camera delivers.
    private func exportedNames() throws -> Set<String> {
        var names: Set<String> = []
        let isThere = try Program.wait {
            let page = try Program.tool("curl", ["-s", "http://127.0.0.1:\(metricsPort)/metrics"])
            names = Set(
                page.split(separator: "\n").filter { !$0.hasPrefix("#") }
                    .map { String($0.prefix { $0 != "{" && $0 != " " }) })
            return names.contains("spotter_action_seconds_total")
        }
        #expect(isThere)
        return names
    }
}
