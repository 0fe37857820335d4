import Foundation
import TestSupport
import Testing

/// Every fenced block of every page is run or read by a program, or says why no test can do that.
@Suite struct DocumentBlockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The blocks in a language, with their pages.
    private static func blocks(in language: String) throws -> [DocumentBlock] {
        let found = try DocumentBlock.pages.flatMap(DocumentBlock.all).filter {
            $0.language == language && $0.note == .none
        }
        try #require(!found.isEmpty, "no block of \(language) was found")
        return found
    }

    private static func contents(_ file: String) throws -> String {
        try String(contentsOf: Program.root.appending(path: file), encoding: .utf8)
    }

    /// Runs a command line of the checkout in the test's folder.
    private func shell(_ line: String, _ arguments: String...) throws -> Program.Result {
        try Program.shell(
            line, in: folder.url, arguments: arguments,
            environment: ["SPOTTER": Program.executable.path, "SPOTTER_MQTT_ENABLED": "false"])
    }

    @Test func `every block is run, read, tested elsewhere, or says why not`() throws {
        let blocks = try DocumentBlock.pages.flatMap(DocumentBlock.all)
        #expect(blocks.count > 120)
        for block in blocks {
            switch block.note {
            case .notRun(let reason):
                #expect(reason.split(separator: " ").count >= 2, "\(block.place): what is in the way of a test?")
            case .testedBy(let file):
                let text = (try? Self.contents(file)) ?? ""
                let name = block.page.split(separator: "/").last ?? ""
                #expect(text.contains(name), "\(block.place): \(file) is not there, or does not name the page")
            case .none:
                let known = ["sh", "toml", "json", "ini", "sql", "python", "text"].contains(block.language)
                #expect(known, "\(block.place): name the language of the block, or say why it is not run")
            }
        }
    }

    @Test(arguments: DocumentBlock.pages)
    func `the commands of a page work in the order in which they stand`(page: String) throws {
        let blocks = try DocumentBlock.all(of: page).filter(\.isRun)
        guard !blocks.isEmpty else { return }
        let world = try DocumentWorld(for: page)
        let first = #/(?:(?:sudo )?spotter|sqlite3|mosquitto_sub|mosquitto_pub|curl) .*|[A-Za-z]+=.*/#
        for block in blocks {
            try world.prepare(for: block)
            for command in block.commands {
                let place = "\(block.place): \(command)"
                let isRun = command.wholeMatch(of: first) != nil
                #expect(isRun, "\(place): mark the block as not run, or split it")
                guard isRun else { continue }
                let result = try world.run(command)
                // What changes much shows what it would do, and does it with --yes.
                let isTrial = result.status == 2 && result.messages.contains("nothing was done")
                #expect(result.status == 0 || isTrial, "\(place): \(result.status): \(result.output)\(result.messages)")
            }
        }
    }

    @Test func `every block of TOML is a configuration, a plan or rules that the program takes`() throws {
        // What other gyms shared.
        try FileManager.default.createDirectory(at: folder.file("answers"), withIntermediateDirectories: true)
        // The secrets of recipients.
        for name in ["club.secret", "anna.token"] { try Data("secret\n".utf8).write(to: folder.file(name)) }
        for block in try Self.blocks(in: "toml") {
            let text = block.text.replacing("\"/etc/spotter/", with: "\"")
            try Data(text.utf8).write(to: folder.file("block.toml"))
            let check = block.text.contains("[[step]]") ? "workout check" : "config check"
            let isRules = block.text.contains("[[rule]]")
            let result = try isRules ? withRules(block.text) : shell("\"$SPOTTER\" \(check) block.toml")
            #expect(result.status == 0, "\(block.place): \(result.messages)")
        }
    }

    /// Shows the rules of a model that has these ones.
    private func withRules(_ text: String) throws -> Program.Result {
        let model = Program.root.appending(path: "Models/exercises.safetensors")
        try FileManager.default.copyItem(at: model, to: folder.file("own.safetensors"))
        try Data(text.utf8).write(to: folder.file("own.rules.toml"))
        try Data("recognition.model = \"own.safetensors\"\n".utf8).write(to: folder.file("config.toml"))
        let result = try shell("\"$SPOTTER\" workout form")
        #expect(result.output.contains("hop"), "\(result.output)")
        return result
    }

    @Test func `every block of JSON can be read, and has the keys of the program`() throws {
        func object(_ line: String) throws -> [String: Any] {
            let whole = line.replacing(", …", with: "")
            return try #require(JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any], "\(line)")
        }
        _ = try shell("\"$SPOTTER\" synthesize --motion squat --clips 1 --seconds 2 -o made")
        let stream = try String(contentsOf: folder.file("made/squat/squat_0.poses.jsonl"), encoding: .utf8)
        let made = try stream.split(separator: "\n").prefix(2).map { try object(String($0)) }
        for block in try Self.blocks(in: "json") {
            let objects = try block.lines.map { try object($0) }
            if objects.count == 2 {
                #expect(objects[0]["joints"] as? [String] == made[0]["joints"] as? [String], "\(block.place)")
                for (shown, real) in zip(objects, made) { #expect(Set(shown.keys) == Set(real.keys), "\(block.place)") }
            } else {
                let name = objects[0]["epoch"] == nil ? "cmd" : "ack"
                let schema = try object(shell("\"$SPOTTER\" contract schema \(name)").output)
                let known = try #require(schema["properties"] as? [String: Any])
                #expect(Set(objects[0].keys).isSubset(of: known.keys), "\(block.place): \(known.keys)")
            }
        }
    }

    @Test func `the filter for fail2ban finds the line of the log`() throws {
        let blocks = try DocumentBlock.all(of: "Sources/Node/spotter/Spotter.docc/Page.md")
        let filter = try #require(blocks.first { $0.language == "ini" })
        let expression = try #require(filter.lines.first { $0.hasPrefix("failregex = ") }).dropFirst(12)
        let line = try #require(blocks.first { $0.text.hasPrefix("a log-in") }).lines[0]
        let address = String(expression).replacing("<HOST>", with: "([0-9.]+)")
        #expect(try line.wholeMatch(of: Regex(address)) != nil, "\(line)")
    }

    @Test func `every block of text is a drawing`() throws {
        for block in try Self.blocks(in: "text") {
            let isDrawing = block.text.contains { "│─▶▲◀".contains($0) }
            #expect(isDrawing, "\(block.place)")
        }
    }

    @Test func `every block of Python can be read`() throws {
        for block in try Self.blocks(in: "python") {
            let line = "python3 -c 'import ast, sys; ast.parse(sys.argv[1])' \"$1\""
            #expect(try shell(line, block.text).status == 0, "\(block.place)")
        }
    }

    @Test func `every block of SQL is on a page whose blocks run against a database of the fleet`() throws {
        let test = try Self.contents("Tests/Fleet/schema_test_page.py")
        for block in try Self.blocks(in: "sql") {
            let name = block.page.replacing("deploy/fleet/", with: "")
            #expect(test.contains("\"\(name)\""), "\(block.place)")
        }
    }

    @Test func `the format of classify has the keys that classify prints`() throws {
        let blocks = try DocumentBlock.all(of: "Sources/Node/spotter/Spotter.docc/GettingStarted.md")
        let block = try #require(blocks.first { $0.text.hasPrefix("{file, model") })
        var shown = Set(block.text.matches(of: /[a-z_]+/).map { String($0.0) })
        // Words that stand for values.
        shown.subtract(["label", "p", "n"])
        _ = try shell("\"$SPOTTER\" synthesize --motion lunge --clips 1 --seconds 20 -o made")
        let models = "--model \(Program.root.path)/Models/exercises.safetensors"
        let printed = try shell("\"$SPOTTER\" classify made/lunge/lunge_0.poses.jsonl \(models) --json")
        try #require(printed.status == 0, "\(printed.messages)")
        // A set's rest and a missing reading need other recordings.
        var real: Set = ["rest_s"]
        collect(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)), into: &real)
        real.remove("label")
        #expect(shown == real, "\(shown.symmetricDifference(real))")
    }

    /// The keys of an object and of what is in it, but those that are labels or names of measures.
    private func collect(_ value: Any, into keys: inout Set<String>) {
        if let list = value as? [Any] {
            for element in list { collect(element, into: &keys) }
        } else if let object = value as? [String: Any] {
            for (key, element) in object {
                keys.insert(key)
                let isOfNames = ["frame_counts", "reps", "probabilities", "measures", "form"].contains(key)
                if !isOfNames { collect(element, into: &keys) }
            }
        }
    }
}
