import Agent
import Diagnostics
import Foundation
import TestSupport
import Testing

/// The single checks, on healthy and on faulty machines.
@Suite struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func findings(_ text: String) throws -> [DiagnosticResult] {
        let url = folder.file("config.toml")
        try Data(text.utf8).write(to: url)
        // Network checks fail quickly at a closed port.
        return Doctor(path: url.path, environment: ["SPOTTER_MQTT_PORT": "1"]).findings { _ in }
    }

    @Test func `each subject is reported once, and problems come with advice`() throws {
        let findings = try findings("[history]\npath = \"\(folder.file("spotter.db").path)\"\n")
        #expect(Set(findings.map(\.subject)).count == findings.count)
        for subject in [
            "configuration", "clock", "temperature", "throttling", "disk", "database", "running", "model", "kernels",
            "rate", "camera camera1", "broker", "TLS",
        ] {
            #expect(findings.contains { $0.subject == subject }, "\(subject) is missing")
        }
        for finding in findings where finding.state == .bad { #expect(finding.advice?.isEmpty == false, "\(finding)") }
    }

    private struct Sentence: Error, CustomStringConvertible { let description: String }

    @Test(arguments: [
        ("no file; check the path", "no file", "check the path"),
        (
            "it keeps nothing: switch it on (mosquitto: retain_available true), or use another broker",
            "it keeps nothing", "switch it on (mosquitto: retain_available true), or use another broker"
        ),
        (
            "TLS failed (not valid yet; this machine's clock says 2026-11-30 20:37 UTC): check the CA file",
            "TLS failed (not valid yet; this machine's clock says 2026-11-30 20:37 UTC)", "check the CA file"
        ),
        ("rtsp://cam:554/a is silent: look at 'a; b: c'", "rtsp://cam:554/a is silent", "look at 'a; b: c'"),
        ("nobody; take one; the manual names it", "nobody", "take one; the manual names it"),
    ])
    func `an error is cut between what is wrong and what to do`(words: String, text: String, advice: String) {
        let finding = DiagnosticResult.bad("broker", Sentence(description: words))
        #expect(finding.text == text && finding.advice == advice, "\(finding)")
    }

    @Test func `what leaves the node is checked where somebody gets something`() throws {
        let history = "history.path = \"\(folder.file("spotter.db").path)\"\n"
        func sharing(_ text: String) throws -> DiagnosticResult? {
            try findings(history + text).first { $0.subject == "sharing" }
        }
        #expect(try sharing("") == nil)
        let mail = "[[alert]]\nname = \"staff\"\nkind = \"mail\"\nto = \"a@example.org\"\nsendmail = "
        #expect(try sharing(mail + "\"/bin/cat\"\n")?.state == .good)
        let missing = try #require(try sharing(mail + "\"/nowhere/sendmail\"\n"))
        #expect(missing.state == .bad && missing.advice?.contains("msmtp") == true)
    }

    @Test func `missing parts are problems`() throws {
        let findings = try findings(
            """
            [recognition]
            model = "/nowhere/model.safetensors"
            pose_models = "/nowhere"
            [history]
            path = "\(folder.file("spotter.db").path)"
            [[camera]]
            id = "a"
            source = "/dev/video77"
            [[camera]]
            id = "b"
            source = "rtsp://me:geheim@127.0.0.1:1/live"
            [[camera]]
            id = "c"
            source = "/nowhere/clip.mp4"
            [[camera]]
            id = "d"
            enabled = false
            """)
        let states = Dictionary(uniqueKeysWithValues: findings.map { ($0.subject, $0.state) })
        for subject in ["model", "rate", "camera a", "camera b", "camera c", "broker"] {
            #expect(states[subject] == .bad, "\(subject)")
        }
        #expect(states["camera d"] == .unknown && states["database"] == .good && states["running"] == .unknown)
        #expect(!"\(findings)".contains("geheim"))
    }

    @Test func `a recording is read as the node reads it, not only found`() throws {
        let files = [folder.file("a.mp4"), folder.file("b.poses.jsonl")]
        for file in files { try Data("this is no recording\n".utf8).write(to: file) }
        let cameras = files.enumerated().map { "[[camera]]\nid = \"camera\($0)\"\nsource = \"\($1.path)\"\n" }
        let found = try findings("[history]\npath = \"\(folder.file("spotter.db").path)\"\n" + cameras.joined())
            .filter { $0.subject.hasPrefix("camera ") }
        #expect(found.map(\.state) == [.bad, .bad], "\(found)")
        #expect(found[0].text != found[1].text && found.allSatisfy { !$0.text.isEmpty })
    }

    @Test func `a broken configuration is the only finding`() throws {
        let findings = try findings("[mqtt]\nport = 0\n")
        #expect(findings.map(\.subject) == ["configuration"] && findings[0].state == .bad)
        #expect(findings[0].text.contains("config.toml:2:1"))
    }

    @Test func `heat, throttling and slowness are judged by their numbers`() {
        #expect(Doctor.temperature(79).map(\.state) == [.good])
        #expect(Doctor.temperature(80).map(\.state) == [.bad])
        #expect(Doctor.temperature(nil).map(\.state) == [.unknown])
        #expect(Doctor.throttling(nil).map(\.state) == [.unknown])
        #expect(Doctor.rate(9.9, text: "").map(\.state) == [.bad])
        #expect(Doctor.rate(10, text: "").map(\.state) == [.good])
    }

    @Test(arguments: [
        (0, "good", "none"), (0x4, "bad", "hot"), (0x1, "bad", "too little voltage"),
        (0x20000, "warning", "was slowed down since the start"), (0x10000, "warning", "gave too little voltage"),
        (0x9, "bad bad", "hot"), (0x50004, "bad warning", "hot"),
    ])
    func `heat and low voltage are told, now and since the start, with what to do`(
        flags: Int, states: String, words: String
    ) {
        let found = Doctor.throttling(Throttling(flags: flags))
        #expect(found.map(\.state.rawValue).joined(separator: " ") == states)
        #expect(found[0].text.contains(words), "\(found[0].text)")
        #expect(found.allSatisfy { ($0.advice == nil) == ($0.state == .good) })
    }

    @Test func `the camera's group decides who may open it`() {
        var camera = stat()
        camera.st_mode = 0o20660
        camera.st_gid = 44
        #expect(Account(name: "spotter", id: 990, groups: [990, 44]).mayReadAndWrite(camera))
        #expect(!Account(name: "anna", id: 1000, groups: [1000]).mayReadAndWrite(camera))
        #expect(Account(name: "root", id: 0, groups: [0]).mayReadAndWrite(camera))
    }
}
