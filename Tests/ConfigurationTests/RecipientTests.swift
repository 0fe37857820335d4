import Configuration
import Foundation
import TOMLSettings
import TestSupport
import Testing

/// `[[share]]` and `[[alert]]`.
@Suite struct RecipientTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String) throws {
        let file = folder.file(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func read() throws -> ConfigurationReading {
        try write("config.toml", "")
        return try ConfigurationReading(path: folder.file("config.toml").path)
    }

    @Test func `the path of a recipient's address is its password, and is not shown`() throws {
        try write(
            "conf.d/gym.toml",
            """
            [[share]]
            name = "chat"
            url = "https://hooks.example.org/services/T0/hush"
            [[alert]]
            name = "phone"
            kind = "ntfy"
            url = "https://ntfy.example.org/gym-hush"
            """)
        let reading = try read()
        #expect(reading.configuration.shares[0].url == "https://hooks.example.org/services/T0/hush")
        let listed = ConfigurationListing(reading).entries
        #expect(listed.first { $0.key == "share[0].url" }?.value == "\"https://hooks.example.org/***\"")
        #expect(listed.first { $0.key == "alert[0].url" }?.value == "\"https://ntfy.example.org/***\"")
        #expect(!listed.map(\.value).joined().contains("hush"))
    }

    @Test func `names of the gym's own are read, in one line or as a table, and what is none is refused`() throws {
        try write(
            "conf.d/gym.toml",
            """
            [display]
            language = "de"
            labels = { squat = "Tiefe Hocke" }
            [display.zones]
            rack-1 = "Rack am Fenster"
            """)
        let reading = try read()
        #expect(reading.configuration.display.labels == ["squat": "Tiefe Hocke"])
        #expect(reading.configuration.display.zones == ["rack-1": "Rack am Fenster"])
        #expect(reading.configuration.words.label("squat") == "Tiefe Hocke")
        let listed = ConfigurationListing(reading).entries
        #expect(listed.first { $0.key == "display.labels" }?.value == #"{ squat = "Tiefe Hocke" }"#)
        for (line, words) in [
            ("labels = { squat = 3 }", "expects names in quotes"),
            (#"labels = { Squat = "x" }"#, "has \"Squat\" in it"),
            (#"labels = { squat = "" }"#, "no name of 1 to 40"), (#"language = "fr""#, "expects one of"),
        ] {
            try write("conf.d/gym.toml", "[display]\n\(line)")
            let error = #expect(throws: ConfigurationError.self) { try read() }
            #expect(error?.description.contains(words) == true, "\(line): \(error?.description ?? "")")
        }
    }

    @Test func `shares and alerts are read with their defaults, and listed`() throws {
        try write(
            "conf.d/gym.toml",
            """
            [[share]]
            name = "diary"
            kind = "wger"
            url = "https://wger.de"
            secret_file = "/etc/spotter/anna.token"
            people = ["anna"]
            exercises = { squat = 615 }
            [[alert]]
            name = "staff"
            kind = "mail"
            to = "staff@example.org"
            on = ["disk"]
            """)
        let configuration = try read().configuration
        #expect(configuration.shares.count == 1 && configuration.shares[0].exercises == ["squat": 615])
        #expect(configuration.shares[0].giveUpHours == 72 && configuration.alerts[0].afterMinutes == 5)
        #expect(configuration.alerts[0].on == ["disk"] && configuration.alerts[0].sendmail == "/usr/sbin/sendmail")
        let listed = ConfigurationListing(try read()).entries
        #expect(listed.first { $0.key == "share[0].exercises" }?.value == "{ squat = 615 }")
        #expect(listed.first { $0.key == "alert[0].to" }?.origin.hasSuffix("gym.toml:11") == true)
        var other = configuration
        other.alerts[0].afterMinutes = 6
        #expect(configuration.digest != other.digest && configuration.digest != Configuration().digest)
    }

    @Test(arguments: [
        ("[[share]]\nurl = \"https://a\"", "needs a name"), ("[[share]]\nname = \"a\"", "needs a url"),
        ("[[share]]\nname = \"a\"\nurl = \"ftp://a\"", "expects an address"),
        ("[[share]]\nname = \"a\"\nkind = \"mail\"\nurl = \"https://a\"", "expects one of: webhook, ntfy, wger"),
        ("[[share]]\nname = \"a\"\nkind = \"wger\"\nurl = \"https://a\"\nsecret_file = \"x\"", "one diary belongs"),
        (
            "[[share]]\nname = \"a\"\nurl = \"https://a\"\n[[share]]\nname = \"a\"\nurl = \"https://b\"",
            "the second \"a\""
        ),
        ("[[alert]]\nname = \"a\"\nkind = \"mail\"", "staff@example.org"),
        ("[[alert]]\nname = \"a\"\nkind = \"mail\"\nto = \"a@b, c@d\"", "one mail address"),
        ("[[alert]]\nname = \"a\"\nurl = \"https://a\"\non = [\"camera\"]", "camera_away"),
        ("[[alert]]\nname = \"a\"\nurl = \"https://a\"\nafter = 5", "alert.after"),
        ("[[alert]]\nname = \"a\"\nurl = \"https://a\"\non = []", "has an empty list on"),
    ])
    func `a wrong share or alert is refused with what it needs`(block: String, words: String) throws {
        try write("conf.d/gym.toml", block + "\n")
        let error = try #require(throws: ConfigurationError.self) { _ = try read() }
        #expect("\(error)".contains(words) && "\(error)".contains("gym.toml:"), "\(error)")
    }
}
