import Foundation
import TestSupport
import Testing

/// The documentation against the program: its commands work, its links lead somewhere, and the README stays short.
@Suite struct DocumentationTests {
    /// A fenced block of shell commands.
    private struct Block {
        let page: String
        /// The line of the fence, counted from 1.
        let line: Int
        let commands: [String]
        /// Why no test runs the block; `nil` when it is run here.
        let reason: String?
    }

    /// Every page, relative to the checkout.
    static let pages: [String] =
        ["README.md", "CHANGELOG.md"] + markdown(in: ".github") + markdown(in: "Sources/spotter/Spotter.docc")

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func markdown(in folder: String) -> [String] {
        let path = Program.root.appending(path: folder).path
        // A folder that is missing shows in the number of pages.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { folder + "/" + $0 }
    }

    private static func text(of page: String) throws -> String {
        try String(contentsOf: Program.root.appending(path: page), encoding: .utf8)
    }

    private static func blocks(of page: String) throws -> [Block] {
        let lines = try text(of: page).components(separatedBy: "\n")
        var blocks: [Block] = []
        var fence: Int?
        for (index, line) in lines.enumerated() {
            guard let start = fence else {
                if line == "```sh" { fence = index }
                continue
            }
            guard line == "```" else { continue }
            let above = start > 0 ? lines[start - 1] : ""
            let reason = above.wholeMatch(of: #/<!-- not run: (.+) -->/#).map { String($0.1) }
            let commands = lines[(start + 1)..<index].filter { !$0.isEmpty }
            blocks.append(Block(page: page, line: start + 1, commands: commands, reason: reason))
            fence = nil
        }
        return blocks
    }

    /// Runs a line as a reader would, in a folder that holds what the pages speak of.
    private func shell(_ line: String, environment: [String: String] = [:]) throws -> Program.Result {
        let programs = Program.executable.deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try Program.shell(
            line, in: folder.url,
            environment: [
                "PATH": programs + ":" + path, "HOME": folder.url.path, "SPOTTER_MQTT_ENABLED": "false",
            ].merging(environment) { $1 })
    }

    /// The models, the configuration, a pose stream, and a history with one session.
    ///
    /// - Returns: the session's id.
    private func prepare() throws -> String {
        let files = FileManager.default
        for name in ["Models", "deploy"] {
            try files.createSymbolicLink(
                at: folder.file(name), withDestinationURL: Program.root.appending(path: name))
        }
        try files.copyItem(at: Program.root.appending(path: "config.toml"), to: folder.file("config.toml"))
        for line in [
            "spotter synthesize --motion squat --clips 1 --seconds 20 -o made",
            "mv made/squat/squat_0.poses.jsonl squats.poses.jsonl",
            "spotter run --source squats.poses.jsonl --no-mqtt --quiet",
        ] {
            let result = try shell(line)
            #expect(result.status == 0, "\(line): \(result.messages)")
        }
        let sessions = try shell("spotter history sessions --json").output
        let list = try JSONSerialization.jsonObject(with: Data(sessions.utf8)) as? [[String: Any]]
        return try #require(list?.first?["id"] as? String)
    }

    @Test func `all pages are looked at`() {
        #expect(Self.pages.count >= 15)
        #expect(Self.pages.contains("Sources/spotter/Spotter.docc/GettingStarted.md"))
    }

    @Test(arguments: DocumentationTests.pages)
    func `the commands of a page work in the order in which they stand`(page: String) throws {
        let blocks = try Self.blocks(of: page).filter { $0.reason == nil }
        guard !blocks.isEmpty else { return }
        let session = try prepare()
        for block in blocks {
            for command in block.commands {
                let place = "\(page):\(block.line): \(command)"
                let isRun = command.hasPrefix("spotter ") || command.hasPrefix("sqlite3 ")
                #expect(isRun, "\(place): mark the block as not run, or split it")
                guard isRun else { continue }
                let result = try shell(command, environment: ["ID": session])
                #expect(result.status == 0, "\(place): \(result.status): \(result.messages)")
            }
        }
    }

    @Test func `the page of the database names every table and every column`() throws {
        _ = try prepare()
        let columns = try shell(
            """
            sqlite3 -readonly state/spotter.db "SELECT m.name || ' ' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'grdb_%'"
            """
        ).output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(columns.count > 100, "\(columns.count)")
        let lines = try Self.text(of: "Sources/spotter/Spotter.docc/Database.md").split(separator: "\n")
        for column in columns where column.count == 2 {
            let line = lines.first { $0.hasPrefix("| `\(column[0])` |") }
            #expect(line?.contains("`\(column[1])`") == true, "\(column[0]).\(column[1])")
        }
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
        for block in try Self.pages.flatMap(Self.blocks) where block.reason != nil {
            for words in block.commands.flatMap(Self.calls) {
                seen += 1
                let place = "\(block.page):\(block.line): spotter \(words.joined(separator: " "))"
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
        let inBlocks = try Self.blocks(of: page).flatMap(\.commands).compactMap { command in
            command.wholeMatch(of: #/make ([a-z0-9-]+).*/#).map { String($0.1) }
        }
        for target in inText + inBlocks { #expect(targets.contains(target), "\(page): make \(target)") }
    }

    @Test(arguments: DocumentationTests.pages)
    func `every source file that a page names is there`(page: String) throws {
        for match in try Self.text(of: page).matches(of: #/`([A-Za-z0-9+_.\/-]+\/[A-Za-z0-9+_-]+\.(?:swift|h|c))`/#) {
            let places = ["", "Sources/"].map { Program.root.appending(path: $0 + match.1).path }
            #expect(places.contains { FileManager.default.fileExists(atPath: $0) }, "\(page): \(match.1)")
        }
    }

    @Test func `the troubleshooting table has the program's own words`() throws {
        let page = try Self.text(of: "Sources/spotter/Spotter.docc/OperatingANode.md")
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
}
