import Foundation
import History
import Messaging
import Synchronization
import Testing

/// Many commands that switch a camera, and a slow node.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct SwitchTests {
    private typealias Done = @Sendable (CommandOutcome) -> Void

    @Test func `in a flood of switch commands one is carried out and only the newest waits`() async throws {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "#")
        var settings = MQTTSettings(port: broker.port)
        settings.allowedCommands = [.ping, .cameraSet]
        let node = try Node(settings)
        try node.publishEverything()
        let orders = Mutex<[(command: AgentCommand, done: Done)]>([])
        node.publisher.onCommand { command, done in orders.withLock { $0.append((command, done)) } }
        node.publisher.start()
        try await eventually("online") { subscriber.states().contains("online") }
        // Five hundred in turn; the last is ON.
        let flood =
            "for i in $(seq 250); do echo OFF; echo ON; done | /usr/bin/mosquitto_pub -l -q 1 -p \(broker.port) "
            + "-t spotter/v1/gym/sp-test/cam/rack1/enabled/set"
        try run("/bin/sh", ["-c", flood])
        let base = "spotter/v1/gym/sp-test/cmd"
        func send(_ name: String, _ payload: String) throws {
            try run(
                "/usr/bin/mosquitto_pub",
                ["-p", "\(broker.port)", "-q", "1", "-t", "\(base)/\(name)", "-m", payload])
        }
        for (id, enabled) in [("c1", true), ("c2", false)] {
            try send("camera_set", #"{"id":"\#(id)","args":{"camera":"rack1","enabled":\#(enabled)}}"#)
        }
        try send("ping", #"{"id":"p"}"#)
        try await eventually("all heard") { subscriber.messages("/res/ping").count == 1 }
        #expect(orders.withLock { $0.map(\.command) } == [.node(.setCamera("rack1", enabled: false))])
        // The first command waited and was replaced by the second.
        let replaced = try #require(try subscriber.messages("/res/camera_set").first?.json())
        let error = replaced["error"] as? [String: Any]
        #expect(replaced["id"] as? String == "c1" && error?["code"] as? String == "busy")
        orders.withLock { $0[0].done }(.success(["done": true]))
        try await eventually("the newest") { orders.withLock { $0.count } == 2 }
        #expect(orders.withLock { $0[1].command } == .node(.setCamera("rack1", enabled: false)))
        orders.withLock { $0[1].done }(.success(["done": true]))
        try await eventually("answered") { subscriber.messages("/res/camera_set").count == 2 }
        #expect(try subscriber.messages("/res/camera_set").last?.json()["id"] as? String == "c2")
        #expect(orders.withLock { $0.count } == 2)
        await node.publisher.stop()
    }
}
