import Actions
import Foundation
import Records
import TestSupport
import Testing

/// The documentation against the program: its commands exist, its links lead somewhere, and the README stays short.
@Suite struct DocumentationTests {
    static let pages = DocumentBlock.pages

    private static func text(of page: String) throws -> String {
        try String(contentsOf: Program.root.appending(path: page), encoding: .utf8)
    }

    @Test func `all pages are looked at`() {
        #expect(Self.pages.count >= 30)
        #expect(Self.pages.contains("Sources/Node/spotter/Spotter.docc/GettingStarted.md"))
    }

    @Test func `the page of exercises has a row for each of the catalogue`() throws {
        let page = try Self.text(of: "Sources/Node/spotter/Spotter.docc/Exercises.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let wanted = Exercise.all.map { "| `\($0.label)` | \($0.name) | \($0.unit.rawValue) | \($0.definition) |" }
        #expect(rows == wanted)
        let count = "[\(Exercise.all.count) exercises]"
        #expect(try Self.text(of: "README.md").contains(count), "the README says how many there are")
    }

    @Test func `commands that no test runs exist, with all their options`() throws {
        var pagesOfHelp: [[String]: String] = [:]
        func help(_ path: [String]) throws -> String {
            if let known = pagesOfHelp[path] { return known }
            let result = try Program.run(["help"] + path)
            #expect(result.status == 0, "spotter help \(path): \(result.messages)")
            pagesOfHelp[path] = result.output
            return result.output
        }
        var seen = 0
        for block in try Self.pages.flatMap(DocumentBlock.all) where block.language == "sh" && !block.isRun {
            for words in block.commands.flatMap(Self.calls) {
                seen += 1
                let place = "\(block.place): spotter \(words.joined(separator: " "))"
                var path: [String] = []
                for word in words {
                    guard try Self.subcommands(help(path)).contains(word) else { break }
                    path.append(word)
                }
                #expect(!path.isEmpty, "\(place): there is no such command")
                var text = try help(path)
                if let usual = Self.defaultSubcommand(text) { text += try help(path + [usual]) }
                let known = Set(text.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
                for word in words where word.hasPrefix("-") {
                    let option = String(word.prefix { $0 != "=" })
                    #expect(known.contains(option), "\(place): there is no \(option)")
                }
            }
        }
        #expect(seen > 20)
    }

    @Test func `the table of all commands has every command and every sub-command`() throws {
        let text = try Self.text(of: "Sources/Node/spotter/Spotter.docc/GettingStarted.md")
        let section = text.components(separatedBy: "## All commands\n").last?.components(separatedBy: "\n## ").first
        let rows = (section ?? "").split(separator: "\n").filter { $0.hasPrefix("| `spotter") }
        for command in try Self.subcommands(Program.run("help").output) where command != "help" {
            let own = rows.filter { $0.contains("`spotter \(command)") }.joined()
            #expect(!own.isEmpty, "spotter \(command)")
            let words = Set(own.split { !($0.isLetter || $0 == "-") })
            for part in try Self.subcommands(Program.run("help", command).output) {
                #expect(words.contains(Substring(part)), "spotter \(command) \(part)")
            }
        }
    }

    @Test func `config.toml names every command, each with whether it is obeyed by default`() throws {
        let text = try Self.text(of: "config.toml")
        let comment = text.components(separatedBy: "\n# \"default\" allows ").last?.components(separatedBy: "\nallow")[
            0]
        let parts = (comment ?? "").components(separatedBy: "Then \"default\" also allows ")
        let more = try #require(parts.count == 2 ? parts[1].components(separatedBy: "The other commands are ") : nil)
        func words(_ text: String) -> Set<String> { Set(text.split { !($0.isLetter || $0 == "_") }.map(String.init)) }
        for command in CommandName.allCases {
            let isThere =
                CommandName.harmless.contains(command)
                ? words(parts[0]) : CommandName.usual.contains(command) ? words(more[0]) : words(more[1])
            #expect(isThere.contains(command.rawValue), "\(command.rawValue)")
        }
    }

    /// The words behind `spotter` of each call in a line of a shell.
    private static func calls(in line: String) -> [[String]] {
        let command = line.components(separatedBy: " #").first ?? ""
        return command.split { "|;&".contains($0) }.compactMap { part -> [String]? in
            var words = part.split(separator: " ").map(String.init)
            if words.first == "sudo" { words.removeFirst() }
            if words.first == "-u" { words.removeFirst(min(2, words.count)) }
            return words.first == "spotter" ? Array(words.dropFirst()) : nil
        }
    }

    /// The lines of a help text that name a sub-command.
    private static func listing(_ help: String) -> [Substring] {
        guard let start = help.range(of: "SUBCOMMANDS:") else { return [] }
        return help[start.upperBound...].split(separator: "\n").filter { line in
            line.hasPrefix("  ") && line.dropFirst(2).first?.isLowercase == true
        }
    }

    private static func subcommands(_ help: String) -> [String] {
        listing(help).compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    private static func defaultSubcommand(_ help: String) -> String? {
        listing(help).first { $0.contains("(default)") }?.split(separator: " ").first.map(String.init)
    }

    @Test(arguments: DocumentationTests.pages)
    func `every link of a page leads to a file that is there`(page: String) throws {
        let text = try Self.text(of: page)
        let here = Program.root.appending(path: page).deletingLastPathComponent()
        func exists(_ path: String) -> Bool {
            FileManager.default.fileExists(atPath: here.appending(path: path).standardizedFileURL.path)
        }
        for match in text.matches(of: #/\]\(([^)#\s]+)(#[^)]*)?\)/#) {
            let target = String(match.1)
            #expect(target.contains("://") || exists(target), "\(page): \(target)")
        }
        for match in text.matches(of: #/<doc:([A-Za-z]+)>/#) {
            #expect(exists("\(match.1).md"), "\(page): \(match.1)")
        }
    }

    @Test(arguments: DocumentationTests.pages)
    func `every target of make that a page names is there`(page: String) throws {
        let makefile = try Self.text(of: "Makefile")
        let targets = Set(makefile.matches(of: #/(?m)^([a-z0-9-]+):/#).map { String($0.1) })
        #expect(targets.contains("test"))
        let inText = try Self.text(of: page).matches(of: #/`make ([a-z0-9-]+)/#).map { String($0.1) }
        let inBlocks = try DocumentBlock.all(of: page).flatMap(\.commands).compactMap { command in
            command.wholeMatch(of: #/make ([a-z0-9-]+).*/#).map { String($0.1) }
        }
        for target in inText + inBlocks { #expect(targets.contains(target), "\(page): make \(target)") }
    }

    @Test(arguments: DocumentationTests.pages)
    func `every source file that a page names is there`(page: String) throws {
        for match in try Self.text(of: page).matches(of: #/`([A-Za-z0-9+_.\/-]+\/[A-Za-z0-9+_-]+\.(?:swift|h|c))`/#) {
            let here = page.split(separator: "/").dropLast().joined(separator: "/") + "/"
            let folders = ["Node", "Studio", "Sink", "Shared"].map { "Sources/\($0)/" }
            let places = (["", here] + folders).map { Program.root.appending(path: $0 + match.1).path }
            #expect(places.contains { FileManager.default.fileExists(atPath: $0) }, "\(page): \(match.1)")
        }
    }

    @Test func `the troubleshooting table has the program's own words`() throws {
        let page = try Self.text(of: "Sources/Node/spotter/Spotter.docc/OperatingANode.md")
        let section = page.components(separatedBy: "## Troubleshooting\n").last ?? ""
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`") }
        #expect(rows.count > 25)
        for row in rows {
            let symptom = row.split(separator: "|").first.map(String.init) ?? ""
            for match in symptom.matches(of: #/`([^`]+)`/#) {
                for part in match.1.components(separatedBy: "…") where part.count > 5 {
                    let sources = Program.root.appending(path: "Sources").path
                    let files = try Program.tool("grep", ["-rlF", "--include=*.swift", "--", part, sources])
                    #expect(!files.isEmpty, "no message holds: \(part)")
                }
            }
        }
    }

    @Test func `the README stays short`() throws {
        let words = try Self.text(of: "README.md").split(whereSeparator: \.isWhitespace).count
        #expect(words <= 1500, "\(words) words")
    }

    @Test func `Measurements stays one page, and the notes behind it hold each of its figures`() throws {
        let folder = "Sources/Node/spotter/Spotter.docc/"
        let page = try Self.text(of: folder + "Measurements.md")
        let words = page.split(whereSeparator: \.isWhitespace).count
        #expect(words <= 1000, "\(words) words")
        let notes = ["RecognitionNotes", "SpeedNotes", "DurabilityNotes"].map { "\(folder)\($0).md" }
        let known = try Set((notes + ["Models/NOTES.md"]).flatMap { try Self.figures(in: Self.text(of: $0)) })
        try #require(known.count > 200)
        for figure in Self.figures(in: page) { #expect(known.contains(figure), "\(figure) is in no notes") }
    }

    /// The numbers of a text, such as `.905`, `3,320` and `2026`.
    private static func figures(in text: String) -> Set<String> {
        Set(text.matches(of: #/\.?\d+(?:[.,]\d+)*/#).map { String($0.0) })
    }

    @Test func `the map of the tests has every folder and every program of Python`() throws {
        let map = try Self.text(of: "Tests/README.md")
        let tests = Program.root.appending(path: "Tests")
        let all = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
        // What rendering fetches lies in `work`.
        let own = all.filter { $0.hasSuffix(".py") && !$0.contains("render/work/") }
        let programs = own.compactMap { $0.split(separator: "/").last }
        try #require(programs.count > 100)
        for name in programs { #expect(map.contains("`\(name)`"), "\(name)") }
        // A room's tests are named after it.
        let folders = try FileManager.default.contentsOfDirectory(atPath: tests.path).filter { name in
            let values = try? tests.appending(path: name).resourceValues(forKeys: [.isDirectoryKey])
            return values?.isDirectory == true && name != "__pycache__" && !name.hasSuffix("Tests")
        }
        for name in folders { #expect(map.contains("`\(name)`"), "\(name)") }
    }
}
