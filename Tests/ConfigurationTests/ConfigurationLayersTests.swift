import TOMLSettings
import Agent
import Capture
import Configuration
import Foundation
import Messaging
import Records
import TestSupport
import Testing

/// The layers of the configuration (the file, its overrides, the environment) and their display.
@Suite struct ConfigurationLayersTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("config.toml").path
        try write("config.toml", "[mqtt]\nhost = \"base\"\nport = 1\n[[camera]]\nid = \"a\"\n[[camera]]\nid = \"b\"\n")
    }

    private func write(_ name: String, _ text: String) throws {
        let url = folder.file(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func read(_ environment: [String: String] = [:]) throws -> ConfigurationReading {
        try ConfigurationReading(path: path, environment: environment)
    }

    @Test func `overrides are read after the file, in the order of their names`() throws {
        try write("conf.d/20-b.toml", "[mqtt]\nhost = \"second\"\n")
        try write("conf.d/10-a.toml", "[mqtt]\nhost = \"first\"\nport = 2\n")
        try write("conf.d/30-c.toml.bak", "[mqtt]\nhost = \"never\"\n")
        let mqtt = try read().configuration.mqtt
        #expect(mqtt.host == "second" && mqtt.port == 2)
        #expect(try read(["SPOTTER_MQTT_HOST": "variable"]).configuration.mqtt.host == "variable")
    }

    @Test func `the obeyed commands depend on whether the broker knows its clients, unless they are listed`() throws {
        func obeyed(_ text: String) throws -> Set<CommandName>? {
            try write("conf.d/gym.toml", text)
            let settings = try read().configuration.mqttSettings
            return settings.allowedCommands ?? settings.usualCommands
        }
        #expect(try obeyed("") == CommandName.harmless)
        #expect(try obeyed("[mqtt]\nuser = \"sp-1\"\n") == CommandName.usual)
        #expect(try obeyed("[commands]\nallow = [\"restart\"]\n") == [.restart])
        #expect(
            try obeyed("[commands]\nallow = [\"default\", \"restart\"]\n") == CommandName.harmless.union([.restart]))
        #expect(try obeyed("[commands]\nallow = []\n") == [])
    }

    @Test func `cameras of an override replace those of the file`() throws {
        try write("conf.d/gym.toml", "[[camera]]\nid = \"rack-1\"\n")
        #expect(try read().configuration.cameras.map(\.id) == ["rack-1"])
    }

    // MARK: - Zones and masks

    private let square = [[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]

    @Test func `zones and masks are read, and a later file replaces each list`() throws {
        try write(
            "conf.d/gym.toml",
            """
            [[zone]]
            camera = "a"
            name = "mat"
            corners = [[0, 0], [1, 0], [0.5, 1]]
            [[mask]]
            camera = "b"
            corners = [[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]
            """)
        let first = try read().configuration
        #expect(first.zones == [.init(camera: "a", name: "mat", corners: [[0, 0], [1, 0], [0.5, 1]])])
        #expect(first.masks == [.init(camera: "b", corners: square)])
        try write("conf.d/zones.toml", "mask = []\n")
        let second = try read().configuration
        #expect(second.zones == first.zones && second.masks == [])
        #expect(second.digest != first.digest)
        let shown = ConfigurationListing(try read()).entries.first { $0.key == "zone[0].corners" }
        #expect(shown?.value == "[[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]]" && shown?.origin.hasSuffix("gym.toml:4") == true)
    }

    @Test(arguments: [
        ("camera = \"a\"\ncorners = [[0, 0], [1, 0], [1, 1]]", "needs a name"),
        ("name = \"mat\"\ncorners = [[0, 0], [1, 0], [1, 1]]", "needs a camera"),
        ("camera = \"a\"\nname = \"mat\"", "needs corners"),
        ("camera = \"a\"\nname = \"Mat 1\"\ncorners = [[0, 0], [1, 0], [1, 1]]", "a-z 0-9"),
        ("camera = \"a\"\nname = \"mat\"\ncorners = [[0, 0], [1, 0]]", "3 to 32 corners"),
        ("camera = \"a\"\nname = \"mat\"\ncorners = [[0, 0], [1, 0], [1.5, 1]]", "from 0 to 1"),
        ("camera = \"a\"\nname = \"mat\"\ncorners = [[0, 0], [1, 0], [nan, 1]]", "from 0 to 1"),
        ("camera = \"a\"\nname = \"mat\"\ncorners = [[0, 0, 0], [1, 0], [1, 1]]", "each [x, y]"),
        ("camera = \"a\"\nname = \"mat\"\ncorners = [[0, 0], [0, 0], [0, 0]]", "enclose an area"),
        ("camera = \"a\"\nname = \"mat\"\ncorners = [[0, 0], [1, 1], [1, 0], [0, 1]]", "sides cross"),
        ("camera = \"a\"\nname = \"mat\"\ncorners = \"all\"", "3 to 32 corners"),
        ("camera = \"a\"\nname = \"mat\"\ncolour = 1\ncorners = [[0, 0], [1, 0], [1, 1]]", "unknown key"),
    ])
    func `a wrong zone is refused with its line`(block: String, words: String) throws {
        try write("conf.d/gym.toml", "[[zone]]\n\(block)\n")
        let error = try #require(throws: ConfigurationError.self) { _ = try read() }
        #expect("\(error)".contains("conf.d/gym.toml:") && "\(error)".contains(words), "\(error)")
    }

    @Test func `two zones of a camera need two names`() throws {
        let block = { (camera: String) in
            "[[zone]]\ncamera = \"\(camera)\"\nname = \"mat\"\ncorners = [[0, 0], [1, 0], [1, 1]]\n"
        }
        try write("conf.d/gym.toml", block("a") + block("b"))
        #expect(try read().configuration.zones.count == 2)
        try write("conf.d/gym.toml", block("a") + block("a"))
        let error = try #require(throws: ConfigurationError.self) { _ = try read() }
        #expect("\(error)".contains("give each zone its own name"))
    }

    @Test func `drawn areas replace those of their camera only, and are read again`() throws {
        let file = AreasFile(beside: path)
        let mat = Configuration.Area(camera: "a", name: "mat", corners: square)
        let rack = Configuration.Area(camera: "b", name: "rack-1", corners: square)
        let mirror = Configuration.Area(camera: "b", corners: square)
        try file.replace(camera: "a", zones: [mat], masks: [])
        try file.replace(camera: "b", zones: [rack], masks: [mirror])
        #expect(try read().configuration.zones == [mat, rack] && read().configuration.masks == [mirror])
        try file.replace(camera: "a", zones: [], masks: [])
        #expect(try read().configuration.zones == [rack] && read().configuration.masks == [mirror])
    }

    @Test func `areas that another file would replace are not kept`() throws {
        let file = AreasFile(beside: path)
        let mat = Configuration.Area(camera: "a", name: "mat", corners: square)
        try file.replace(camera: "a", zones: [mat], masks: [])
        try write("conf.d/zz.toml", "zone = []\n")
        let failure = try #require(throws: OverrideFile.Failure.self) {
            try file.replace(camera: "a", zones: [], masks: [.init(camera: "a", corners: square)])
            try file.replace(camera: "a", zones: [mat], masks: [])
        }
        #expect(failure.description.contains("read after zones.toml"))
        // What was there before is there again.
        #expect(try read().configuration.masks == [.init(camera: "a", corners: square)])
    }

    @Test func `the file may be a link to a place that the service may write to`() throws {
        try write("conf.d/other.toml", "")
        try write("state/keep", "")
        let target = folder.file("state/zones.toml").path
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("conf.d/zones.toml").path, withDestinationPath: target)
        #expect(try read().configuration.zones == [])
        try AreasFile(beside: path).replace(
            camera: "a", zones: [.init(camera: "a", name: "mat", corners: square)], masks: [])
        #expect(try read().configuration.zones.count == 1)
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("conf.d/zones.toml").path)
        #expect(link == target && FileManager.default.fileExists(atPath: target))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make files of others"))
    func `what root writes takes the place of a link into the folder of another user`() throws {
        try write("conf.d/other.toml", "")
        try write("state/keep", "")
        #expect(chown(folder.file("state").path, 65_534, 65_534) == 0)
        let link = folder.file("conf.d/zones.toml").path
        let target = folder.file("state/zones.toml").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try AreasFile(beside: path).replace(
            camera: "a", zones: [.init(camera: "a", name: "mat", corners: square)], masks: [])
        #expect(try read().configuration.zones.count == 1)
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
    }

    @Test func `an error in an override is reported with the override's file name`() throws {
        try write("conf.d/gym.toml", "\n[mqtt]\nhots = \"x\"\n")
        let error = try #require(throws: ConfigurationError.self) { _ = try read() }
        #expect("\(error)".contains("conf.d/gym.toml:3:1: unknown key 'mqtt.hots'; did you mean 'mqtt.host'?"))
    }

    @Test func `each value says where it comes from`() throws {
        try write("conf.d/gym.toml", "[mqtt]\nport = 2\n")
        let entries = ConfigurationListing(try read(["SPOTTER_NODE_SITE": "berlin"])).entries
        let origin = { (key: String) in
            entries.first { $0.key == key }?.origin.replacing(folder.url.path + "/", with: "")
        }
        #expect(origin("mqtt.host") == "config.toml:2")
        #expect(origin("mqtt.port") == "conf.d/gym.toml:2")
        #expect(origin("node.site") == "SPOTTER_NODE_SITE")
        #expect(origin("camera[1].id") == "config.toml:7")
        #expect(origin("camera[1].name") == "default" && origin("log.level") == "default")
        // Every key once, and each camera's.
        #expect(Set(entries.map(\.key)).count == entries.count)
    }

    @Test func `passwords in addresses are covered`() throws {
        try write(
            "config.toml", "[[camera]]\nid = \"a\"\nsource = \"rtsp://me:geheim@cam:554/live?user=me&token=abc\"\n")
        let shown = ConfigurationListing(try read()).entries.map(\.value).joined(separator: "\n")
        #expect(shown.contains("rtsp://me:***@cam:554/live?user=me&token=***"))
        #expect(!shown.contains("geheim") && !shown.contains("abc"))
        #expect(Redaction.covered(in: "opening rtsp://a:b:c@d@host/x failed") == "opening rtsp://a:***@host/x failed")
        #expect(Redaction.covered(in: "12:30 a@b.c") == "12:30 a@b.c")
    }

    @Test func `the schema knows every key, and takes the shipped file's values`() throws {
        let properties = try #require(Configuration.schema["properties"]?.object)
        for key in Configuration.keyNames {
            let words = key.split(separator: ".").map(String.init)
            let isBlock = ["camera", "zone", "mask", "share", "alert"].contains(words[0])
            let table = isBlock ? properties[words[0]]?["items"] : properties[words[0]]
            let schema = try #require(table?["properties"]?[words[1]], "\(key)")
            #expect((schema["type"] ?? schema["anyOf"]) != nil, "\(key)")
            // An area has no default: what is not drawn is not there.
            #expect((schema["default"] != nil) == !["zone", "mask"].contains(words[0]), "\(key)")
        }
        #expect(properties["mqtt"]?["properties"]?["port"]?["maximum"] == .integer(65_535))
        #expect(properties["recognition"]?["properties"]?["subjects"]?["enum"] == ["prominent", "everyone"])
        #expect(properties["mqtt"]?["additionalProperties"] == .bool(false))
    }
}
