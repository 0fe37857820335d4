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

    @Test(arguments: [
        ("[mqtt]\nhost = \"hub\n", "2:", "without its closing quote"),
        ("[mqtt]\nhost = 'hub\nport = 1\n", "2:", "closing quote"),
        ("[mqtt]\nhost = “hub”\n", "2:", "curly quotes"), ("[mqtt]\nhost = 192.168.1.2\n", "2:", "into quotes"),
        ("[mqtt]\nhost = hub\n", "2:", "into quotes"), ("[mqtt]\nenabled = True\n", "2:", "expects true"),
        ("[mqtt]\nenabled = yes\n", "2:", "expects true"), ("[mqtt]\nenabled = off\n", "2:", "expects false"),
        ("mqtt.host \"hub\"\n", "1:", "join them by ="),
        ("[[camera]\nid = \"a\"\n", "1:", "its name ends as it begins"),
        ("[node]\nid = \"a\"\nid = \"b\"\n", "3:", "sets 'id' a second time"),
        ("[node]\nid = \"a\"\n[node]\nname = \"b\"\n", "3:", "names the table [node] a second time"),
        ("[[camera]]\nid = \"a\"\n[camera]\nid = \"b\"\n", "3:", "other brackets"),
        ("mqtt = 3\n[mqtt]\nhost = \"a\"\n", "2:", "has a value already"),
        ("[node] id = \"a\"\n", "1:", "goes on behind its table"), ("[]\nid = \"a\"\n", "1:", "without a name"),
        ("[node]\rid = \"a\"\r", "1:", "end with CR alone"), ("# mine\rnode.id = \"a\"\r", "1:", "end with CR alone"),
        ("[mqtt]\r\nhost = “hub”\r\n", "2:", "curly quotes"), ("[[mqtt]]\nhost = \"a\"\n", "1:", "mqtt is a table"),
        ("mqtt = 3\n", "1:", "write [mqtt] once"),
        ("mqtt.port = 01883\n", "1:", "begins with 0"),
        ("node.name = \"C:\\Users\"\n", "1:", "backslash"), ("mqtt.port = 1883 1\n", "1:", "goes on behind its value"),
    ])
    func `a line that is no TOML is explained in plain words`(_ text: String, _ place: String, _ words: String) throws {
        let found = try errors(text)
        #expect(found.count == 1 && found[0].contains(".toml:\(place)") && found[0].contains(words), "\(found)")
        #expect(!found[0].contains("Error while parsing"), "\(found)")
    }

    @Test func `a key that is refused is not missing as well`() throws {
        let zone = "[[zone]]\ncamera = \"camera1\"\nname = \"mat\"\n"
        for corners in ["[[0, 0], [2, 0], [1, 1]]", "\"all\"", "[[0, 0], [1, 0]]"] {
            let found = try errors(zone + "corners = \(corners)\n")
            #expect(found.count == 1 && found[0].contains(":4:1: "), "\(found)")
        }
        let alert = try errors("[[alert]]\nname = \"staff\"\nkind = \"ntfy\"\nurl = 3\n")
        #expect(alert.count == 1 && alert[0].contains(":4:1: "), "\(alert)")
        let cameras = try errors(
            "[[camera]]\nid = 1\nsource = \"/dev/video0\"\n[[camera]]\nid = 2\nsource = \"/dev/video1\"\n")
        #expect(cameras.count == 2 && !cameras.contains { $0.contains("a second camera") }, "\(cameras)")
    }

    @Test func `a folder that is named as the file is called one`() throws {
        let error = try #require(throws: ConfigurationError.self) { _ = try Configuration(path: "/tmp") }
        #expect("\(error)".contains("it is a folder"), "\(error)")
    }

    @Test func `errors come in the order of their lines, and each is told once`() throws {
        let found = try errors("[camera]\nid = \"a\"\nsource = \"/dev/video0\"\n")
        #expect(found.count == 1 && found[0].contains("[[camera]]"), "\(found)")
        let lines = try errors(
            """
            node.nme = "a"
            [[zone]]
            camera = "b"
            name = "mat"
            corners = [[0, 0], [1, 0], [1, 1]]
            [[camera]]
            id = "a"
            source = "/nowhere/film.mp4"
            [mqtt]
            port = 0
            """
        ).compactMap { $0.split(separator: ":").dropFirst().first.flatMap { Int($0) } }
        #expect(lines.count == 4 && lines == lines.sorted(), "\(lines)")
    }

    @Test func `a resting zone that no camera has is found, with the nearest one`() throws {
        let zone = """
            [[camera]]
            id = "rack-1"
            source = "rtsp://10.0.0.7/video"
            [[zone]]
            name = "mat-1"
            camera = "rack-1"
            corners = [[0, 0], [1, 0], [1, 1]]
            """
        let found = try errors("[alarm]\nresting_zones = [\"mat-2\"]\n" + zone)
        #expect(found.count == 1 && found[0].contains(":2:"), "\(found)")
        #expect(found.first?.contains("names 'mat-2', and no camera has such a zone; did you mean 'mat-1'?") == true)
        #expect(try errors("[alarm]\nresting_zones = [\"mat-1\"]\n" + zone) == [])
    }

    @Test func `a zone of a camera that does not exist is found`() throws {
        let found = try errors(
            """
            [[camera]]
            id = "rack-1"
            source = "/dev/video0"
            [[zone]]
            camera = "rack-2"
            name = "mat"
            corners = [[0, 0], [1, 0], [1, 1]]
            """)
        #expect(found.count == 1 && found[0].contains("did you mean 'rack-1'?"), "\(found)")
    }

    @Test(arguments: [
        ("mqtt://hub", "without 'mqtt://'"), ("hub:1883", "without the port"), ("[::1]", "without brackets"),
        ("hub ", "blank"), ("mqtts://hub:8883", "mqtt.ca_file"), ("wss://hub", "websockets"),
        ("user@hub", "without path and user"),
        ("", "must not be empty"), ("hüb", "expects a name or an address"),
    ])
    func `the broker's host is a host alone`(_ host: String, _ words: String) throws {
        let found = try errors("mqtt.host = \"\(host)\"\n")
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
        let variable = try errors("", ["SPOTTER_MQTT_HOST": host])
        #expect(variable.count == 1 && variable[0].contains(words), "\(variable)")
    }

    @Test(arguments: ["hub", "hub.local", "192.168.1.2", "::1", "fe80::1%eth0", "a_b"])
    func `names and addresses are hosts`(_ host: String) throws {
        #expect(try errors("mqtt.host = \"\(host)\"\n").isEmpty)
    }

    @Test func `a zone of the clock is a name of IANA's list, or the machine's`() throws {
        for zone in ["UTC+2", "PST", "IST", "Europe/berlin"] {
            let found = try errors("node.time_zone = \"\(zone)\"\n")
            #expect(found.count == 1 && found[0].contains("IANA"), "\(found)")
        }
        #expect(try errors("node.time_zone = \"US/Pacific\"\n").isEmpty)
        let found = try errors("", ["TZ": "CET-1CEST"])
        #expect(found.count == 1 && found[0].contains("CET-1CEST") && found[0].contains("node.time_zone"), "\(found)")
        #expect(try errors("node.time_zone = \"Europe/Berlin\"\n", ["TZ": "CET-1CEST"]).isEmpty)
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

    @Test func `what cannot stand beside each other is found, and a folder in the place of a file`() throws {
        let found = try errors(
            """
            history.path = "."
            [node]
            name = "a\\u0000b"
            [mqtt]
            enabled = true
            password_file = "/etc"
            [web]
            enabled = true
            listen = "0.0.0.0:9000"
            [metrics]
            enabled = true
            port = 9000
            [[camera]]
            id = "a"
            name = "x\\u202Ey"
            source = "/dev/video0"
            [display.labels]
            squat = "Knie\\u0007beuge"
            """)
        for words in [
            "history.path names a folder", "mqtt.password_file names a folder", "without mqtt.user",
            "is the port of web.listen", "holds U+0000", "holds U+202E",
            "holds U+0007",
        ] {
            #expect(found.count { $0.contains(words) } == 1, "\(words) in \(found)")
        }
    }

    @Test func `an exercise that the model does not know is found, and so is a file that is no model`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
            .path
        let model = "[recognition]\nmodel = \"\(root)/Models/exercises.safetensors\"\n"
        #expect(try errors(model + "exercises = [\"squat\", \"plank\"]").isEmpty)
        let found = try errors(model + "exercises = [\"squat\", \"sqat\"]")
        #expect(found.count == 1 && found[0].contains(":3:") && found[0].hasSuffix("did you mean 'squat'?"), "\(found)")
        let strange = try errors("[recognition]\nmodel = \"\(root)/config.toml\"\n")
        #expect(
            strange.count == 1 && strange[0].contains(":2:") && strange[0].contains("recognition.model"), "\(strange)")
    }

    @Test(arguments: ["192.168.1.20:554/stream", "camera.local:554", "user:word@camera/live", "10.0.0.7/video"])
    func `an address without a scheme is said to be one, and not repeated`(_ source: String) throws {
        let found = try errors("[[camera]]\nid = \"a\"\nsource = \"\(source)\"")
        #expect(found.count == 1 && found[0].contains("has no scheme: write rtsp:// or http:// before the address"))
        #expect(!found[0].contains(source), "it may hold a password")
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
