import Agent
import Capture
import Configuration
import Foundation
import Messaging
import Records
import TemporaryFolder
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
            let table = words[0] == "camera" ? properties["camera"]?["items"] : properties[words[0]]
            let schema = try #require(table?["properties"]?[words[1]], "\(key)")
            #expect((schema["type"] ?? schema["anyOf"]) != nil && schema["default"] != nil, "\(key)")
        }
        #expect(properties["mqtt"]?["properties"]?["port"]?["maximum"] == .integer(65_535))
        #expect(properties["recognition"]?["properties"]?["subjects"]?["enum"] == ["prominent", "everyone"])
        #expect(properties["mqtt"]?["additionalProperties"] == .bool(false))
    }
}
