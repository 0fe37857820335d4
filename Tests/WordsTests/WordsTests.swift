import Foundation
import Testing
import Words

@Suite struct WordsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    private static func placeholders(_ words: String) -> [String] {
        words.matches(of: /\{\w+\}/).map { String($0.output) }.sorted()
    }

    /// A part of a language's file, as it is in the program.
    private static func part(_ name: String, of language: Language) throws -> [String: String] {
        let json = try JSONSerialization.jsonObject(with: Words(language).pageJSON) as? [String: Any]
        return try #require(json?[name] as? [String: String])
    }

    @Test func `every language has the same words, with the same values in them`() throws {
        #expect(try Self.part("page", of: .english).count > 300)
        for language in Language.allCases {
            for section in Section.allCases {
                let one = try Self.part(section.rawValue, of: .english)
                let other = try Self.part(section.rawValue, of: language)
                #expect(Set(one.keys) == Set(other.keys), "\(language) \(section)")
                for (key, value) in one {
                    #expect(Self.placeholders(value) == Self.placeholders(other[key] ?? ""), "\(language) \(key)")
                }
            }
        }
    }

    @Test func `German says nothing in English`() throws {
        // Words that both languages have.
        let shared: Set = [
            "–", "Live", "Name", "Person", "zone-{n}", "Pause", "Person {n}", "Tempo", "RPE", "System", "Filter",
            "Clip", "Clips", "Plan", "Zone",
            "Start",
            "Workout", "CSV", "Countdown", "s",
        ]
        let letters = /\{\w+\}|[^\p{L}]|\b(?:s|min|h|kg|ms|MB|GB|RPE|C)\b/
        for section in Section.allCases {
            let german = try Self.part(section.rawValue, of: .german)
            for (key, value) in try Self.part(section.rawValue, of: .english) where !shared.contains(value) {
                let hasWords = !value.replacing(letters, with: "").isEmpty
                #expect(!hasWords || german[key] != value, "\(section) \(key): \(value)")
            }
        }
    }

    @Test func `a count and what it counts have a singular`() throws {
        // Here the count is a rate, or always more than one.
        let never: Set = [
            "fps", "more_actions", "sessions_newest", "absences_newest", "workouts_newest", "newest_of", "doctor_well",
            "rounds_of", "file_hint", "worst_shown",
        ]
        for section in Section.allCases {
            for (key, value) in try Self.part(section.rawValue, of: .english)
            where value.contains(/\{(?:n|all|sets|answers|sessions)\} (?:of \{all\} )?\p{L}{3,}s\b/)
                && !never.contains(key)
            {
                #expect(key.hasSuffix("_many") || key.hasSuffix("_one"), "\(section) \(key): \(value)")
            }
        }
    }

    @Test func `sentences keep what stands in them`() throws {
        let sentences = try Self.part("sentences", of: .german)
        #expect(sentences.count > 300)
        for (sentence, translation) in sentences {
            #expect(Set(Self.placeholders(sentence)) == Set(Self.placeholders(translation)), "\(sentence)")
        }
        #expect(try Self.part("sentences", of: .english).isEmpty)
    }

    @Test func `every exercise of the shipped model has a German name`() throws {
        let labels = try Self.part("labels", of: .german)
        let page = try String(
            contentsOf: Self.root.appending(path: "Sources/Node/spotter/Spotter.docc/Exercises.md"), encoding: .utf8)
        let known = page.matches(of: /(?m)^\| `([a-z_]+)` \|/).map { String($0.1) }
        #expect(known.count >= 30)
        for label in known { #expect(labels[label] != nil, "\(label)") }
    }

    @Test func `sentences are translated, with lists, numbers and names in them`() throws {
        let data = try Data(contentsOf: Self.root.appending(path: "Tests/Fixtures/sentences.json"))
        let pairs = try JSONDecoder().decode([[String]].self, from: data)
        #expect(pairs.count >= 10)
        for pair in pairs {
            #expect(Words(.german).translated(pair[0]) == pair[1])
            #expect(Words(.english).translated(pair[0]) == pair[0])
        }
    }

    @Test(arguments: [
        ("de", "de"), ("de-AT,de;q=0.9,en;q=0.5", "de"), ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("fr,de;q=0.4,en;q=0.3", "de"),
        ("fr", "en"), ("", "en"), ("de;q=0", "en"), ("en;q=0.2, de;q=0.7", "de"), (";;,=", "en"), ("DE-de", "de"),
    ])
    func `a browser's wishes choose the language`(header: String, language: String) {
        #expect(Language(accepting: header).rawValue == language)
    }

    @Test func `dates, numbers and lengths follow the language`() {
        let (english, german) = (Words(.english), Words(.german))
        #expect(german.number(62.5, digits: 2) == "62,5" && english.number(62.5, digits: 2) == "62.5")
        #expect(german.number(100, digits: 1) == "100" && german.number(1234, digits: 0) == "1234")
        #expect(german.day("2026-11-05") == "05.11.2026" && english.day("2026-11-05") == "2026-11-05")
        #expect(german.duration(95) == "1 min 35 s" && german.duration(3.4) == "3,4 s")
        #expect(german.duration(200_000) == "2 T 7 h" && english.duration(200_000) == "2 d 7 h")
        let moment = Date(timeIntervalSince1970: 1_764_400_000)
        #expect(german.moment(moment, in: .gmt) == "29.11.2025 07:06")
        #expect(german.numbers(in: "2.1 ± 0.1 s") == "2,1 ± 0,1 s")
    }

    @Test func `names of the gym come first, then those of the language, then the model's`() {
        let words = Words(.german, names: DisplayNames(labels: ["squat": "Tiefe Hocke"], zones: ["rack-1": "Rack 1"]))
        #expect(words.label("squat") == "Tiefe Hocke" && words.label("push_up") == "Liegestütz")
        #expect(words.label("own_move", model: ["own_move": "own move!"]) == "Own move!")
        #expect(words.label("own_move") == "Own move")
        #expect(words.zone("rack-1") == "Rack 1" && words.zone("rack-2") == "rack-2")
    }

    @Test func `the page gets everything that it shows`() throws {
        let names = DisplayNames(labels: ["squat": "Tiefe Hocke"], zones: ["rack-1": "Rack 1"])
        let page = try JSONSerialization.jsonObject(with: Words(.german, names: names).pageJSON) as? [String: Any]
        let json = try #require(page)
        #expect((json["labels"] as? [String: String])?["squat"] == "Tiefe Hocke")
        #expect(json["zones"] as? [String: String] == ["rack-1": "Rack 1"])
        #expect(json["locale"] as? String == "de-DE" && json["language"] as? String == "de")
    }
}
