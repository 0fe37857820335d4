import Foundation
import Testing

/// Every sentence of the node that reaches a page, a voice or a message has a German one. The sentences are read from
/// the sources, so that a new one is not forgotten.
@Suite struct TranslationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    /// Files and folders whose sentences people read on the page.
    private static let places = [
        "Sources/Node/Web/Access", "Sources/Node/Web/Local", "Sources/Node/Web/Setup", "Sources/Node/Web/Routes",
        "Sources/Node/Web/Server",
        "Sources/Node/Web/Training", "Sources/Node/Web/Work", "Sources/Shared/HTTPServing", "Sources/Node/Diagnostics",
        "Sources/Node/Capture/Frames/CaptureError.swift", "Sources/Node/Capture/FFmpeg/StreamAdvice.swift",
        "Sources/Node/Actions/Aiming", "Sources/Node/History/Corrections/CorrectionError.swift",
        "Sources/Node/Agent/Workouts", "Sources/Node/Agent/Machine/MachineWatch.swift", "Sources/Node/Agent/Learning",
        "Sources/Node/Workouts/RepetitionJudge.swift", "Sources/Node/Workouts/WorkoutPlan+Rules.swift",
        "Sources/Node/Workouts/WorkoutRunner+Speed.swift", "Sources/Studio/Training/Evaluation/TrainingVerdict.swift",
        "Sources/Node/History/Queries/MissingSession.swift", "Sources/Node/History/Learning/AnswerError.swift",
        "Sources/Node/History/Workouts/MemberCode.swift", "Sources/Shared/TOMLSettings/KnownName.swift",
        "Sources/Node/Configuration/AreaShape.swift", "Sources/Node/Configuration/Configuration+Areas.swift",
        "Sources/Node/Configuration/AreasFile.swift", "Sources/Node/Configuration/OverrideFile.swift",
        "Sources/Node/Configuration/Configuration+Setup.swift", "Sources/Node/Messaging/Session/BrokerTrial.swift",
        "Sources/Studio/Training/Learning/AnswerRound.swift",
    ]

    /// What these files hold besides sentences for people: formats, headers, lines of the log, parts of sentences.
    private static var exceptions: [Regex<AnyRegexOutput>] {
        [
            #"event: .*"#, #": keep-alive\n+"#, #"spotter web (?:password|url)"#, #"\{\}=.*"#, "; Secure", "Path=/.*",
            "default-src .*", "attachment; .*", #"(?:text|application)/\S+; .*"#, #"\{\} and \{\}"#,
            #"(?:\{\}[:,] )+(?:\{\})+"#, #"<script .*|, made up by .*"#, #".*\n"#, "ask for http.*",
            "not for the page.*", "only GET",
            "there are /metrics.*",
            #"unsupported transport|connection refused|no route|not answer|timed out|no picture for|invalid data|end of file"#,
            #"reset by peer|broken pipe|name or service|moov atom not found|in time| \(a sign in .*|not found|\{\} is in use by \{\}; "#,
            #"# Spotter's configuration.*|an address in figures with a port is one|this node is not set up yet: .*|not set up yet: .*"#,
            #"no page for the setup .*|the page takes no new .*"#,
            // Who failed to log in, for the log.
            #"(?:too many )?wrong passwords?|wrong member code|a link that does not log in"#,
            #" \(\{\} more before it.*"#,
            // Parts that are joined to one sentence, which is translated as a whole.
            #"; not of \{\}"#, #"\{\}\{\}; the views: .*"#, #"%\.1f ms .*"#,
            #" and \{\} more|no exercise has the name .*"#, #" as '\{\}'"#, " or less", #" \(\{\} °C\)"#,
            "the processor is slowed down .*: ", "the power supply gives .*: ", #"\{\} of \{\}, \{\}"#,
            #"No rep: .*|\{\} \{value\}: no further .*"#,
            // What the database and the files read.
            "(?:SELECT|INSERT INTO|DELETE FROM) .*",
            // For the terminal.
            "Making clips .*|Judging by .*|Learning all .*",
            #"READY: .*|NOT READY:|How sure this is:|What to do next:| \(else \{\}\)|\{\}: \{\} of \{\}; |\{\} × \{\}"#,
        ].compactMap { try? Regex($0) }
    }

    @Test func `every sentence that people read is translated`() throws {
        let file = Self.root.appending(path: "Sources/Node/Words/de.json")
        let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any]
        let table = try #require(json?["sentences"] as? [String: String])
        let known = Set(table.keys.map(Self.key))
        let exceptions = Self.exceptions
        var found = 0
        for path in try Self.paths() {
            let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            for literal in Self.literals(in: text) where Self.isSentence(literal, besides: exceptions) {
                found += 1
                #expect(known.contains(Self.key(literal.words)), "\(path): \(literal.words)")
            }
        }
        #expect(found > 150)
    }

    @Test func `every count that people read is translated`() throws {
        let file = Self.root.appending(path: "Sources/Node/Words/de.json")
        let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any]
        let known = Set(try #require(json?["sentences"] as? [String: String]).keys)
        var found = 0
        for path in try Self.paths() {
            let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /\.counted\("([\p{L} ]+)"(?:, "([\p{L} ]+)")?\)/) {
                found += 1
                let one = String(match.1)
                let many = match.2.map(String.init) ?? one + "s"
                #expect(known.contains("{n} \(one)") && known.contains("{n} \(many)"), "\(path): \(one), \(many)")
            }
        }
        #expect(found > 10)
    }

    @Test func `every hint of a repetition is translated`() throws {
        let file = Self.root.appending(path: "Sources/Node/Words/de.json")
        let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any]
        let known = Set(try #require(json?["sentences"] as? [String: String]).keys)
        let rules = try String(
            contentsOf: Self.root.appending(path: "Models/exercises.rules.toml"), encoding: .utf8)
        let cues = rules.matches(of: /cue_(?:below|above) = "([^"]+)"/).map { String($0.1) }
        #expect(cues.count > 10)
        for cue in cues { #expect(known.contains(cue), "\(cue)") }
    }

    @Test func `literals are read as the compiler joins them`() {
        let text = #"""
            throw Failure(.bad, "not_sent", "A \(name.map { "'\($0)'" } ?? "b") is "
                + "wrong: \"c\".")
            // "not this one"
            logger.notice("the page does \(what)")
            """#
        #expect(Self.literals(in: text).map(\.words) == ["not_sent", #"A {} is wrong: "c"."#, "the page does {}"])
        #expect(Self.literals(in: text).map(\.isLogged) == [false, false, true])
    }

    private static func paths() throws -> [String] {
        try places.flatMap { place -> [String] in
            if place.hasSuffix(".swift") { return [place] }
            let names = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: place).path)
            return names.filter { $0.hasSuffix(".swift") }.sorted().map { "\(place)/\($0)" }
        }
    }

    private struct Literal {
        /// With `{}` in the place of each value.
        var words: String
        let isLogged: Bool
    }

    private static func isSentence(_ literal: Literal, besides exceptions: [Regex<AnyRegexOutput>]) -> Bool {
        let words = literal.words
        guard words.count >= 7, words.trimmingCharacters(in: .whitespaces).contains(" "), !literal.isLogged else {
            return false
        }
        return !exceptions.contains { (try? $0.wholeMatch(in: words)) != nil }
    }

    private static func key(_ sentence: String) -> String {
        let bare = sentence.replacing(/\{\w*\}/, with: "{}")
        let text = bare.hasSuffix(".") ? String(bare.dropLast()) : bare
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The string literals of a source, those that `+` joins as one.
    private static func literals(in text: String) -> [Literal] {
        var scanner = LiteralScanner(text)
        var found: [Literal] = []
        while let (words, before) = scanner.next() {
            if before.allSatisfy({ $0.isWhitespace || $0 == "+" }), before.contains("+"), !found.isEmpty {
                found[found.count - 1].words += words
                continue
            }
            let statement = before.split(separator: "\n", omittingEmptySubsequences: false).suffix(2).joined()
            let isLogged = statement.contains(/logger\.\w+\(\s*$|\blog\(\s*$/)
            found.append(Literal(words: words, isLogged: isLogged))
        }
        return found
    }
}

/// Finds string literals in Swift.
private struct LiteralScanner {
    private let text: [Character]
    private var place = 0

    init(_ text: String) { self.text = Array(text) }

    /// The next literal, and what stands before it; `nil` at the end.
    mutating func next() -> (words: String, before: String)? {
        var before = ""
        while place < text.count {
            if starts("//") {
                while place < text.count, text[place] != "\n" { place += 1 }
            } else if starts("\"\"\"") {
                place += 3
                while place < text.count, !starts("\"\"\"") { place += 1 }
                place += 3
                before = ""
            } else if text[place] == "\"" {
                return (literal(), before)
            } else {
                before.append(text[place])
                place += 1
            }
        }
        return nil
    }

    private func starts(_ mark: String) -> Bool {
        place + mark.count <= text.count && zip(text[place...], mark).allSatisfy { $0 == $1 }
    }

    private mutating func literal() -> String {
        var words = ""
        place += 1
        while place < text.count, text[place] != "\"" {
            if starts("\\(") {
                skipValue()
                words += "{}"
            } else if text[place] == "\\" {
                words.append(text[place + 1] == "n" ? "\n" : text[place + 1])
                place += 2
            } else {
                words.append(text[place])
                place += 1
            }
        }
        place += 1
        return words
    }

    private mutating func skipValue() {
        place += 2
        var depth = 1
        while depth > 0, place < text.count {
            if text[place] == "\"" {
                _ = literal()
                continue
            }
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" { depth -= 1 }
            place += 1
        }
    }
}
