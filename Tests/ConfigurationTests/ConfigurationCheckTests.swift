import Configuration
import Foundation
import TOMLSettings
import TestSupport
import Testing

struct ConfigurationCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func errors(_ text: String, _ environment: [String: String] = [:]) throws -> [String] {
        let file = folder.file("config.toml")
        try Data(text.utf8).write(to: file)
        return ConfigurationCheck(path: file.path, environment: environment).errors.map(\.description)
    }

    @Test func `all errors are found at once, with their places`() throws {
        let found = try errors(
            """
            node.sit = "x"
            mqtt.port = 99999
            mqtt.password = "secret"
            history.prediction_days = "many"
            [[camera]]
            id = "a"
            source = "/dev/video0"
            widht = 640
            [[camera]]
            id = "a"
            source = "/dev/video1"
            [[zone]]
            camera = "a"
            corners = [[0, 0], [1, 0], [1, 1]]
            """, ["SPOTTER_MQTT_PORT": "none"])
        for words in [
            ":1:6: unknown key 'node.sit'; did you mean 'node.site'?", ":2:6: mqtt.port expects", "mqtt.password_file",
            ":4:9: history.prediction_days", ":8:1: unknown key 'camera.widht'; did you mean 'camera.width'?",
            "a second camera 'a'", "[[zone]] needs a name", "SPOTTER_MQTT_PORT expects",
        ] {
            #expect(found.count { $0.contains(words) } == 1, "\(words) in \(found)")
        }
        #expect(found.count == 8, "\(found)")
        #expect(!found.contains { $0.contains("secret") })
    }

    @Test func `what is well formed and cannot work is found`() throws {
        let found = try errors(
            """
            recognition.model = "nowhere.safetensors"
            mqtt.ca_file = "/nowhere/ca.crt"
            [[camera]]
            id = "a"
            source = "rtps://user:word@camera/live"
            [[camera]]
            id = "b"
            source = "/dev/video0"
            [[camera]]
            id = "c"
            source = "/dev/video0"
            [[camera]]
            id = "d"
            source = "clips/nowhere.mp4"
            [[camera]]
            id = "e"
            source = "/dev/video0"
            enabled = false
            """)
        for words in [
            "'rtps://', which is no known scheme; did you mean rtsp://?", "camera 'b' too",
            "clips/nowhere.mp4", "recognition.model names no file", "mqtt.ca_file names no file",
        ] {
            #expect(found.count { $0.contains(words) } == 1, "\(words) in \(found)")
        }
        #expect(found.count == 5, "\(found)")
        #expect(!found.contains { $0.contains("word@") })
    }

    @Test func `a variable that nobody reads is found, with the nearest one`() throws {
        let found = try errors("", ["SPOTTER_MQTT_HOTS": "hub", "SPOTTER_SINK_MQTT_HOST": "hub", "PATH": "/bin"])
        #expect(found == ["environment variable SPOTTER_MQTT_HOTS is unknown; did you mean SPOTTER_MQTT_HOST?"])
    }

    @Test func `a right configuration has no errors`() throws {
        #expect(try errors("node.site = \"berlin\"\n[[camera]]\nid = \"a\"\nsource = \"/dev/video9\"").isEmpty)
        #expect(ConfigurationCheck(path: "/nowhere.toml", environment: [:]).errors.count == 1)
    }
}
