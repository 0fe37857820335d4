import TOMLSettings
import Agent
import Configuration
import Foundation
import TestSupport
import Testing

/// Files with invalid TOML. On some the parser fails an assertion, which must not end the process.
@Suite struct ConfigurationTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws -> String {
        let file = folder.file("config.toml")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    @Test(arguments: [
        ("[node]\nsite = \"a\"\n[\rmqtt]\n", 3, 2), ("a\u{0}b = 1", 1, 2), ("# a\u{7F}", 1, 4), ("[;mqtt]", 1, 2),
        ("\n  [[ é]]", 2, 6), ("[\nmqtt]", 1, 2), ("[[ [a]]]", 1, 4), ("a = [}", 1, 6),
        ("a = '''\n{' }'''\nb = [\"}\\\"{\", {c = 1}, # {\n}", 4, 1), ("a = [1979-05-27T:7:32:00Z", 1, 17),
        ("b = 1\na = 1979-05-27t+07:32", 2, 19), ("a = 1979-05-27 7\nb = 1", 1, 17), ("a = [1979-05-27 7, 2]", 1, 18),
        ("a = {b = 1_9-9-05-27 7}", 1, 23), ("a = 1979-05-27T=?:", 1, 18), ("a = [1,\u{2028}2]", 1, 8),
        ("a = [1, 2\u{85}]", 1, 10), ("a = 1\nb = " + String(repeating: "[", count: 400), 2, 261),
        ("a" + String(repeating: ".a", count: 100_000) + " = 1", 1, 2002),
        ("[a" + String(repeating: ".\"b\"", count: 100_000) + "]", 1, 4003),
    ])
    func `text that is no TOML is refused with line and column`(text: String, line: Int, column: Int) throws {
        let path = try write(text)
        let error = try #require(throws: ConfigurationError.self) { _ = try Configuration(path: path) }
        #expect("\(error)".hasPrefix("\(path):\(line):\(column): "), "\(error)")
    }

    @Test func `a file as large as no configuration is refused`() throws {
        let path = try write(String(repeating: "# nothing\n", count: 500_000))
        let error = try #require(throws: ConfigurationError.self) { _ = try Configuration(path: path) }
        #expect("\(error)".contains("larger than 4 MB"), "\(error)")
    }

    @Test(arguments: ["[]", "[ [a] ]", "[[a]", "[\"a", "[", "a = {b = }", "a = {b = ]}", "a = [{]", "a = {,}"])
    func `the parser finds other errors`(text: String)
        throws
    {
        let path = try write(text)
        #expect(throws: ConfigurationError.self) { _ = try Configuration(path: path) }
    }

    @Test(arguments: ["1979-05-27T07:32:00Z", "1979-05-27 # T:", "'1979-05-27T:7'", "07:32:00"])
    func `dates and times are values of a wrong type`(value: String) throws {
        let path = try write("[node]\nsite = \(value)")
        let error = #expect(throws: (any Error).self) { _ = try Configuration(path: path) }
        #expect(error.map { "\($0)".contains("node.site") } == true, "\(value): \(String(describing: error))")
    }

    @Test(arguments: ["2026-11-25", "1979-05-27Test", "3-t", "1-2"])
    func `names that begin like a date are TOML`(name: String) throws {
        let path = try write("[[camera]]\nid = \"a\"\ncontrols = { \(name) = 1, b = 2 }\n")
        let error = try #require(throws: ConfigurationError.self) { _ = try Configuration(path: path) }
        #expect("\(error)".contains("camera.controls has \"\(name)\" in it"), "\(error)")
    }

    @Test func `blanks, quotes and lists over several lines are TOML`() throws {
        let text = "[ mqtt ]\nconsumers = [\n\t\"hq\", # one\n]\n[ \"node\" ]\nsite = 'berlin'\n"
        let configuration = try Configuration(path: try write(text))
        #expect(configuration.mqtt.publishing.consumers == ["hq"] && configuration.node.site == "berlin")
    }
}
