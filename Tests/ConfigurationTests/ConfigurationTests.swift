import TOMLSettings
import Agent
import Configuration
import Foundation
import TestSupport
import Testing

@Suite struct ConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws -> String {
        let url = folder.file("config.toml")
        try Data(text.utf8).write(to: url)
        return url.path
    }

    private func failure(_ text: String) throws -> String {
        let path = try write(text)
        let error = try #require(throws: ConfigurationError.self) { _ = try Configuration(path: path) }
        return "\(error)".replacing(path, with: "config.toml")
    }

    @Test func `the shipped file says exactly the defaults, and every key`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config.toml")
        #expect(try Configuration(path: path.path) == Configuration())
        let text = try String(contentsOf: path, encoding: .utf8)
        for key in Configuration.keyNames {
            let name = key.split(separator: ".").last.map(String.init) ?? key
            #expect(
                text.contains("\n\(name) = ") || text.contains("\n# \(name) = "), "\(key) does not stand in config.toml"
            )
        }
    }

    @Test func `cameras share the cores where there are more cameras than cores`() {
        var configuration = Configuration()
        configuration.recognition.maximumLoad = 0.8
        for (cores, cameras, load) in [(4, 1, 0.8), (4, 4, 0.8), (2, 4, 0.4), (1, 2, 0.4)] {
            let whole = configuration.sharedLoad(cores: cores)
            let shares = (0..<cameras).map { _ in whole.join() }
            #expect(shares.allSatisfy { abs($0.permitted - load) < 1e-9 }, "\(cores) \(cameras)")
            withExtendedLifetime(shares) {}
        }
    }

    @Test func `strict privacy compares no colours, and a mirror is no mask`() throws {
        let text = """
            [[mask]]
            camera = "camera1"
            mirror = true
            corners = [[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]
            [[mask]]
            camera = "camera1"
            corners = [[0.6, 0.2], [0.9, 0.2], [0.9, 0.9]]
            [recognition]
            privacy = "strict"
            """
        let configuration = try Configuration(path: try write(text))
        let settings = configuration.sourceSettings(rateHz: 30, camera: configuration.cameras.first)
        #expect(!settings.tracking.comparesColours)
        #expect(settings.estimation.mirrors.map(\.corners) == [[[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]])
        #expect(settings.estimation.masks.map(\.corners) == [[[0.6, 0.2], [0.9, 0.2], [0.9, 0.9]]])
        #expect(Configuration().sourceSettings(rateHz: 30).tracking.comparesColours)
        #expect(try failure("[recognition]\nprivacy = \"loose\"\n").contains("strict"))
    }

    @Test func `threads follow the cores and the cameras, unless they are set`() throws {
        for (cores, cameras, threads) in [(1, 1, 1), (2, 1, 1), (4, 1, 3), (4, 2, 1), (8, 2, 3), (16, 1, 3), (4, 0, 3)]
        {
            #expect(Configuration.threads(cameras: cameras, cores: cores) == threads, "\(cores) \(cameras)")
        }
        var configuration = Configuration()
        configuration.recognition.threads = 2
        let camera = try #require(configuration.cameras.first)
        #expect(configuration.sourceSettings(rateHz: 30, camera: camera).estimation.threads == 2)
        configuration.recognition.threads = 0
        let chosen = configuration.sourceSettings(rateHz: 30, camera: camera).estimation.threads
        #expect(chosen == Configuration.threads(cameras: 1))
        // Whoever reads recordings may read several at a time.
        #expect(configuration.sourceSettings(rateHz: 30).estimation.threads == 1)
    }

    @Test func `keys of the file override the defaults`() throws {
        let path = try write(
            """
            [mqtt]
            host = "hub"
            port = 8883
            [recognition]
            minimum_confidence = 1
            [[camera]]
            id = "rack1"
            [[camera]]
            id = "rack2"
            enabled = false
            """)
        let configuration = try Configuration(path: path)
        #expect(configuration.mqtt.host == "hub" && configuration.mqtt.port == 8883)
        #expect(configuration.recognition.minimumConfidence == 1)
        #expect(configuration.cameras.map(\.id) == ["rack1", "rack2"])
        #expect(configuration.cameras.map(\.enabled) == [true, false])
    }

    @Test func `camera controls are taken by name, in a line, in a table of their own, and from the environment`()
        throws
    {
        let path = try write(
            """
            [[camera]]
            id = "rack1"
            controls = { focus_automatic_continuous = false, focus_absolute = 30 }
            [[camera]]
            id = "rack2"
            [camera.controls]
            sharpness = 2
            """)
        let cameras = try Configuration(path: path).cameras
        #expect(cameras[0].namedControls == ["focus_automatic_continuous": 0, "focus_absolute": 30])
        #expect(cameras[0].controls.named["focus_absolute"] == 30)
        #expect(cameras[1].namedControls == ["sharpness": 2])
        let other = try Configuration(
            path: path, environment: ["SPOTTER_CAMERA_CONTROLS": "zoom_absolute=100, gamma=3"])
        #expect(other.cameras[0].namedControls == ["zoom_absolute": 100, "gamma": 3])
        let listed = ConfigurationListing(try ConfigurationReading(path: path)).entries
        #expect(
            listed.first { $0.key == "camera[0].controls" }?.value
                == "{ focus_absolute = 30, focus_automatic_continuous = 0 }")
    }

    @Test func `poses are kept only where it is asked for, and for thirty days at most`() throws {
        #expect(try Configuration().history.keepPoses == 0 && Configuration().historySettings().keepPosesDays == 0)
        let configuration = try Configuration(path: try write("[history]\nkeep_poses = 30\n"))
        #expect(try configuration.historySettings().keepPosesDays == 30)
        for days in [-1, 31] {
            #expect(try failure("[history]\nkeep_poses = \(days)\n").contains("a whole number from 0 to 30"))
        }
    }

    @Test func `the environment overrides the file`() throws {
        let path = try write("[mqtt]\nhost = \"hub\"\n")
        let configuration = try Configuration(
            path: path, environment: ["SPOTTER_MQTT_HOST": "other", "SPOTTER_CAMERA_SOURCE": "/dev/video3"])
        #expect(configuration.mqtt.host == "other")
        #expect(configuration.cameras.first?.source == "/dev/video3")
    }

    @Test func `a bad variable is named`() throws {
        let error = try #require(throws: ConfigurationError.self) {
            _ = try Configuration(path: nil, environment: ["SPOTTER_MQTT_PORT": "many"])
        }
        #expect("\(error)".contains("SPOTTER_MQTT_PORT expects a whole number from 1 to 65535"))
    }

    @Test(arguments: [
        ("[mqtt]\n  hots = \"x\"\n", "config.toml:2:3: unknown key 'mqtt.hots'; did you mean 'mqtt.host'?"),
        ("[mqqt]\nhost = \"x\"\n", "config.toml:2:1: unknown key 'mqqt.host'; did you mean 'mqtt.host'?"),
        (
            "[[camera]]\nid = \"a\"\n[[camera]]\nid = \"b\"\nsorce = \"x\"\n",
            "config.toml:5:1: unknown key 'camera.sorce'"
        ),
        ("[web]\npictures = \"always\"\n", "config.toml:2:1: web.pictures expects one of: never, aim"),
        ("[mqtt]\nport = \"x\"\n", "config.toml:2:1: mqtt.port expects a whole number from 1 to 65535"),
        ("[mqtt]\nport = 99999\n", "config.toml:2:1: mqtt.port expects a whole number"),
        ("[mqtt]\nport = -1\n", "config.toml:2:1: mqtt.port expects a whole number"),
        ("[mqtt]\nhost = 5\n", "config.toml:2:1: mqtt.host expects text in quotes"),
        ("[mqtt]\nenabled = \"yes\"\n", "config.toml:2:1: mqtt.enabled expects true or false"),
        ("[recognition]\nsubjects = \"all\"\n", "expects one of: prominent, everyone"),
        ("[node]\nsite = \"Gym + Bar\"\n", "config.toml:2:1: node.site expects 1 to 63 of a-z 0-9 _ -"),
        ("[node]\ntime_zone = \"Berlin\"\n", "expects a name of IANA's time zones"),
        ("[[camera]]\nid = \"a\"\n[[camera]]\nid = \"a\"\n", "config.toml:4:1: a second camera 'a'"),
        ("[camera]\nid = \"a\"\n", "must be written in double brackets"),
        (
            "[[camera]]\ncontrols = { focus_absolute = \"far\" }\n",
            "config.toml:2:1: camera.controls expects whole numbers"
        ),
        ("[[camera]]\ncontrols = 3\n", "camera.controls expects whole numbers by name"),
        ("[[camera]]\ncontrols = { \"Focus Absolute\" = 3 }\n", "has \"Focus Absolute\" in it; `v4l2-ctl"),
        ("[mqtt\nhost = 1\n", "config.toml:1:"),
        ("[mqtt]\nhost = \"a\"\nhost = \"b\"\n", "config.toml:3:"),
    ])
    func `an error is reported with its line and column`(text: String, message: String) throws {
        let told = try failure(text)
        #expect(told.contains(message), "\(told)")
    }

    @Test func `tabs, Windows line ends and a byte-order mark are accepted`() throws {
        let path = try write("\u{FEFF}[mqtt]\r\n\thost = \"hub\"\r\n")
        #expect(try Configuration(path: path).mqtt.host == "hub")
    }

    @Test func `a file that is not text is refused`() throws {
        let url = folder.file("config.toml")
        try Data([0xFF, 0xFE, 0x00, 0x41]).write(to: url)
        #expect(throws: ConfigurationError.self) { _ = try Configuration(path: url.path) }
        #expect(throws: ConfigurationError.self) { _ = try Configuration(path: "/nowhere/config.toml") }
    }
}
