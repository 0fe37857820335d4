import Foundation
import TestSupport
import Testing

/// `spotter watch` in words.
@Suite struct WatchTests {
    private let folder: TemporaryFolder
    private let broker: Broker

    init() throws {
        folder = try TemporaryFolder()
        broker = try Broker(in: folder.url)
        let messages = [
            ("status", #"{"v":1,"state":"online","sid":1}"#),
            ("health", #"{"v":1,"ok":false,"problems":[{"code":"camera_offline","camera":"rack-1"}]}"#),
            ("cam/rack-1/state", #"{"v":1,"action":"jumping_jack","confidence":0.914,"people":2,"reps":12}"#),
            ("cam/rack-1/live", #"{"v":1,"a":"squat","c":0.5,"k":3,"n":10}"#),
            ("cam/rack-1/event", #"{"v":1,"event_type":"set_completed","action":"squat","reps":1}"#),
            (
                "rec/session",
                #"{"seq":7,"type":"session","body":{"camera":"rack-1","actions":[{"label":"push_up","reps":9}]}}"#
            ),
            ("info", #"{"v":1,"site":"berlin","sw":"0.1.0","cameras":[{}],"model":{"exercises":["squat"]}}"#),
            ("cam/rack-1/state2", "no JSON"), ("cam/rack-1/enabled", "ON"),
            ("cam/rack-1/counts", #"{"day":"2026-11-21","sessions":1,"reps":{"squat":9},"seconds":{"squat":20}}"#),
            (
                "cam/rack-1/workouts",
                #"{"workouts":[{"plan_name":"Legs","nickname":"anna","step":1,"steps":6,"action":"squat","reps_left":3}]}"#
            ),
        ]
        for (topic, payload) in messages {
            _ = try Program.tool(
                "mosquitto_pub", ["-p", "\(broker.port)", "-r", "-t", "spotter/v1/berlin/sp-1/\(topic)", "-m", payload])
        }
    }

    @Test func `messages are told in words, and as JSON`() throws {
        let address = ["--mqtt-host", "127.0.0.1", "--mqtt-port", "\(broker.port)", "--for", "3"]
        let lines = try Program.run(["watch"] + address).output.split(separator: "\n").map(String.init)
        for line in [
            "berlin/sp-1  the node is online", "berlin/sp-1  problems: camera offline of rack-1",
            "berlin/sp-1  rack-1: jumping jack 91 %, 12 repetitions, 2 people",
            "berlin/sp-1  rack-1: person 3: squat 50 %",
            "berlin/sp-1  rack-1: set completed, squat, 1 repetition",
            "berlin/sp-1  record 7, session of rack-1, push up 9",
            "berlin/sp-1  version 0.1.0, 1 camera, 1 exercise",
            "berlin/sp-1  rack-1: switched on", "berlin/sp-1  rack-1: 2026-11-21, 1 session, squat 9",
            "berlin/sp-1  rack-1: Legs of anna, step 1 of 6, squat, 3 left",
        ] {
            #expect(lines.contains(line), "\(line) in \(lines)")
        }
        #expect(lines.count == 11, "\(lines)")
        let objects = try Program.run(["watch", "--json"] + address).output.split(separator: "\n")
        #expect(
            objects.count == 11 && objects.allSatisfy { $0.hasPrefix("{") && $0.contains("\"topic\"") }, "\(objects)")
    }

    @Test func `what a person does is told again when it changes`() throws {
        let live = ["squat", "squat", "squat", "lunge"].map { #"{"v":1,"a":"\#($0)","c":0.5,"k":3,"n":10}"# }
        let topic = "spotter/v1/berlin/sp-2/cam/rack-1/live"
        let publish = live.map { "mosquitto_pub -p \(broker.port) -t \(topic) -m '\($0)'" }.joined(separator: "; ")
        let watch = "'\(Program.executable.path)' watch --mqtt-host 127.0.0.1 --mqtt-port \(broker.port) --node sp-2"
        let result = try Program.shell("(sleep 2; \(publish)) & \(watch) --for 6; wait", environment: [:])
        let lines = result.output.split(separator: "\n").map { $0.split(separator: "  ").last.map(String.init) }
        #expect(lines == ["rack-1: person 3: squat 50 %", "rack-1: person 3: lunge 50 %"], "\(result)")
    }

    @Test func `a port that does not speak TLS is named as such`() throws {
        let result = try Program.run(
            ["mqtt", "test", "--mqtt-host", "127.0.0.1", "--mqtt-port", "\(broker.port)"],
            environment: ["SPOTTER_MQTT_CA_FILE": "system"])
        #expect(result.status == 69 && result.messages.contains("the port may not speak TLS"), "\(result)")
    }

    @Test func `a reader that goes away ends it with 141 and no trace`() throws {
        let publish = "mosquitto_pub -p \(broker.port) -t spotter/v1/berlin/sp-1/status -m '{}'"
        let watch = "'\(Program.executable.path)' watch --mqtt-host 127.0.0.1 --mqtt-port \(broker.port) --for 60"
        let line = """
            (while sleep 0.2; do \(publish); done) & publisher=$!
            \(watch) | head -1
            echo ${PIPESTATUS[0]}
            kill $publisher
            """
        let result = try Program.shell(line, environment: [:])
        #expect(result.output.split(separator: "\n").last == "141" && result.messages.isEmpty, "\(result)")
    }
}
