import Foundation
import TestSupport
import Testing

/// What `spotter doctor` prints: its verdicts, and their colours on a terminal.
@Suite struct DoctorCommandTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("config.toml").path
        let certificate = folder.file("ca.pem").path
        try Program.tool(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "10", "-subj", "/CN=gym", "-keyout",
                folder.file("key.pem").path, "-out", certificate,
            ])
        try Data(
            """
            [history]
            path = "\(folder.file("spotter.db").path)"
            [mqtt]
            host = "127.0.0.1"
            port = 1
            ca_file = "\(certificate)"
            """.utf8
        ).write(to: URL(filePath: file))
    }

    @Test func `a certificate that ends in a month is a warning`() throws {
        let result = try Program.run("doctor", "--json", "--config", file)
        let list = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        let finding = try #require(list.first { $0["subject"] as? String == "mqtt.ca_file" }, "\(result.output)")
        #expect(finding["state"] as? String == "warning", "\(finding)")
        #expect((finding["advice"] as? String)?.hasPrefix("renew ") == true, "\(finding)")
    }

    @Test func `verdicts are coloured on a terminal, and nowhere else`() throws {
        let line = "'\(Program.executable.path)' doctor --config '\(file)'"
        func onTerminal(_ environment: String) throws -> String {
            try Program.tool(
                "script", ["-qec", "env -u NO_COLOR TERM=xterm \(environment) \(line)", "/dev/null"])
        }
        let coloured = try onTerminal("")
        for word in ["\u{1B}[32mgood", "\u{1B}[33mwarning", "\u{1B}[31mbad"] {
            #expect(coloured.contains(word), "\(word.debugDescription) in \(coloured)")
        }
        #expect(try !onTerminal("NO_COLOR=1").contains("\u{1B}["))
        #expect(try !Program.run("doctor", "--config", file).output.contains("\u{1B}"))
    }
}
