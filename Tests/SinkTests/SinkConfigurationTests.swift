import Foundation
import Sink
import TOMLSettings
import TestSupport
import Testing

@Suite struct SinkConfigurationTests {
    private static let shipped = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/fleet/sink.toml").path

    @Test func `the shipped file holds every key with its default`() throws {
        #expect(try SinkConfiguration(path: Self.shipped) == SinkConfiguration())
        let text = try String(contentsOfFile: Self.shipped, encoding: .utf8)
        for key in SinkConfiguration.keys {
            let word = key.name.split(separator: ".")[1]
            #expect(text.contains("\n\(word) = \(key.text(SinkConfiguration()))\n"), "\(key.name)")
        }
    }

    @Test func `the environment overrides a key`() throws {
        let configuration = try SinkConfiguration(
            path: nil, environment: ["SPOTTER_SINK_MQTT_HOST": "hub", "SPOTTER_SINK_SINK_BATCH": "7"])
        #expect(configuration.mqtt.host == "hub" && configuration.sink.batch == 7)
    }

    @Test(arguments: [
        ("[sink]\nbatch = 0\n", "sink.batch"), ("[sink]\nshard = \"3/2\"\n", "sink.shard"),
        ("[sink]\nconsummer = \"hq\"\n", "did you mean 'sink.consumer'"), ("[mqtt]\nprefix = \"a/#\"\n", "mqtt.prefix"),
        ("[sink\n", "sink.toml:1"), ("[metrics]\nlisten = \"everywhere\"\n", "metrics.listen"),
    ]) func `a mistake is named with its line`(text: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("sink.toml").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: ConfigurationError.self) { try SinkConfiguration(path: path) }
        #expect(error.map { "\($0)" }?.contains(expected) == true, "\(error.map { "\($0)" } ?? "none")")
    }

    @Test func `every node belongs to exactly one part`() throws {
        let parts = try (1...3).map { try #require(Shard("\($0)/3")) }
        var counts = [0, 0, 0]
        for number in 0..<3000 {
            let owners = parts.indices.filter { parts[$0].has(node: "sp-\(number)") }
            #expect(owners.count == 1)
            for owner in owners { counts[owner] += 1 }
        }
        #expect(counts.allSatisfy { (800...1200).contains($0) }, "\(counts)")
    }

    @Test(arguments: ["0/1", "2/1", "1/0", "1", "a/b", "1/1/1", "", "1/2000"])
    func `no part is read from nonsense`(text: String) { #expect(Shard(text) == nil) }
}
