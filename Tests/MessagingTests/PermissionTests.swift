import Foundation
import History
import Messaging
import Synchronization
import Testing

/// Permissions at a broker without authentication, and at one with it.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct PermissionTests {
    /// The shipped access list.
    private static let acl = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../deploy/package/examples/mosquitto/spotter.acl").standardizedFileURL

    private func publish(_ port: Int, _ leaf: String, _ payload: String, _ more: String...) throws {
        try run(
            "/usr/bin/mosquitto_pub",
            ["-V", "5", "-q", "1", "-p", "\(port)", "-t", "spotter/v1/gym/sp-test/\(leaf)", "-m", payload] + more)
    }

    @Test func `over an anonymous connection only harmless commands are obeyed`() async throws {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "#")
        let node = try Node(MQTTSettings(port: broker.port))
        try node.publishEverything()
        let orders = Mutex<[AgentCommand]>([])
        node.publisher.onCommand { command, done in
            orders.withLock { $0.append(command) }
            done(.success(["done": true]))
        }
        node.publisher.start()
        try await eventually("online") { subscriber.states().contains("online") }
        try publish(broker.port, "cam/rack1/enabled/set", "OFF")
        let camera = #""args":{"camera":"rack1","enabled":false}"#
        try publish(broker.port, "cmd/camera_set", #"{"id":"a1",\#(camera)}"#)
        try publish(broker.port, "cmd/session_end", #"{"id":"a2","args":{"camera":"rack1"}}"#)
        try publish(broker.port, "cmd/restart", #"{"id":"a3"}"#)
        try publish(broker.port, "cmd/config_check", #"{"id":"a4"}"#)
        try await eventually("the last answer") { subscriber.messages("/res/config_check").count == 1 }
        for name in ["camera_set", "session_end", "restart"] {
            let error = try subscriber.messages("/res/\(name)").first?.json()["error"] as? [String: Any]
            #expect(error?["code"] as? String == "forbidden", "\(name)")
            let message = error?["message"] as? String ?? ""
            #expect(message.contains("mqtt.user") && message.contains("commands.allow"), "\(message)")
        }
        #expect(orders.withLock { $0 } == [.node(.checkConfiguration)])
        #expect(node.log.contains { $0.contains("enabled/set") && $0.contains("mqtt.user") })
        let info = try #require(try subscriber.messages("sp-test/info").last?.json())
        #expect(info["commands"] as? [String] == ["config_check", "health", "info", "ping", "sync"])
        let config = try #require(subscriber.messages("spotter_sp-test/config").last?.payload)
        #expect(!config.contains("\"switch\"") && !config.contains("\"button\""))
        await node.publisher.stop()
    }

    @Test func `at a broker with access rights a stranger cannot switch cameras, the dashboard can`() async throws {
        let broker = try Broker(
            lines: "allow_anonymous false\npassword_file %DIR%/passwords\nacl_file %DIR%/acl")
        let passwords = broker.directory.appendingPathComponent("passwords").path
        for (number, user) in ["sp-test", "dashboard", "homeassistant", "stranger"].enumerated() {
            try run("/usr/bin/mosquitto_passwd", ["-b"] + (number == 0 ? ["-c"] : []) + [passwords, user, "secret"])
        }
        // The test's own subscriber needs this in addition to the shipped rights.
        let rights = try String(contentsOf: Self.acl, encoding: .utf8)
        let user = "user homeassistant\n"
        try broker.write(rights.replacing(user, with: user + "topic probe/#\n"), to: "acl")
        try broker.write("secret\n", to: "secret")
        try await broker.start()
        var settings = MQTTSettings(port: broker.port, username: "sp-test")
        settings.passwordFile = broker.directory.appendingPathComponent("secret").path
        let node = try Node(settings)
        try node.publishEverything()
        let orders = Mutex<[AgentCommand]>([])
        node.publisher.onCommand { command, done in
            orders.withLock { $0.append(command) }
            done(.success(["done": true]))
        }
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        let said = { (user: String) in ["-u", user, "-P", "secret"] }
        for (user, word) in [("stranger", "OFF"), ("dashboard", "ON")] {
            try run(
                "/usr/bin/mosquitto_pub",
                [
                    "-V", "5", "-q", "1", "-p", "\(broker.port)", "-t", "spotter/v1/gym/sp-test/cam/rack1/enabled/set",
                    "-m", word,
                ] + said(user))
        }
        for (user, id) in [("stranger", "s1"), ("dashboard", "d1")] {
            try run(
                "/usr/bin/mosquitto_pub",
                [
                    "-V", "5", "-q", "1", "-p", "\(broker.port)", "-t", "spotter/v1/gym/sp-test/cmd/session_end", "-m",
                    #"{"id":"\#(id)","args":{"camera":"rack1"}}"#,
                ] + said(user))
        }
        try await eventually("the dashboard's") { orders.withLock { $0.count } >= 2 }
        #expect(
            orders.withLock { $0 } == [.node(.setCamera("rack1", enabled: true)), .node(.endSessions(camera: "rack1"))])
        // Home Assistant's birth message reaches the node, which sends its description again.
        let subscriber = try await Subscriber(port: broker.port, topic: "homeassistant/#", user: "homeassistant")
        let configs = { subscriber.messages("spotter_sp-test/config").count }
        try await eventually("kept") { configs() == 1 }
        try run(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(broker.port)", "-t", "homeassistant/status", "-m", "online"] + said("homeassistant"))
        try await eventually("answered") { configs() == 2 }
        #expect(node.publisher.report.problems.isEmpty, "\(node.publisher.report.problems)")
        await node.publisher.stop()
    }
}
