import Actions
import Foundation
import TestSupport
import Testing

/// The page of thresholds against the code: a number that is changed in one of them alone fails.
@Suite struct ThresholdTests {
    /// A row of a table with four columns.
    struct Row: Sendable, CustomTestStringConvertible {
        let what: String
        let value: String
        /// Type and name, or type and a piece of its source; empty for a number that is a setting alone.
        let code: [String]
        let setting: String
        var testDescription: String { what }
    }

    private static let page = Program.root.appending(path: "Sources/Node/spotter/Spotter.docc/Thresholds.md")

    private static func table(columns: Int) -> [[String]] {
        // A page that is missing shows in the number of rows.
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == columns && $0[1] != "value" && $0[1] != "measurement" }
    }

    static let rows = table(columns: 4).map { cells in
        Row(
            what: cells[0], value: cells[1], code: cells[2].matches(of: /`([^`]+)`/).map { String($0.1) },
            setting: cells[3])
    }

    /// The text of every file of a type, with its extensions.
    private static let files: [(name: String, path: String)] = {
        let folder = Program.root.appending(path: "Sources").path
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".js") }.map { path in
            (URL(filePath: path).lastPathComponent, "\(folder)/\(path)")
        }
    }()

    private static func source(of type: String) throws -> String {
        try files.filter { $0.name == type || $0.name == type + ".swift" || $0.name.hasPrefix(type + "+") }
            .map { try String(contentsOfFile: $0.path, encoding: .utf8) }.joined(separator: "\n")
    }

    /// What stands behind the equals sign of a constant, a variable or an argument with a default.
    private static func declared(_ name: String, in source: String) throws -> String? {
        let constant = try Regex("(?m)\\b(?:let|var) \(name)(?:: [\\w.]+)? = ([^\\n]+)$")
        let argument = try Regex("\\b\(name): [\\w.]+\\?? = ((?:[^,()\\n]|\\([^)]*\\))+)")
        // Several constants may share a line.
        let second = try Regex(", \(name) = ([^,\\n]+)")
        let found = try constant.firstMatch(in: source) ?? argument.firstMatch(in: source)
        return try (found ?? second.firstMatch(in: source))?[1].substring.map(String.init)
    }

    /// The numbers of an expression such as `30 * 86_400`, `8 << 20`, `Duration.seconds(30)` or `1...20`.
    private static func numbers(in expression: String) -> [Double] {
        let plain = expression.replacing("_", with: "")
        let scale = plain.contains("milliseconds") ? 0.001 : 1
        let words = plain.matches(of: /[0-9]+(?:\.[0-9]+)?/).compactMap { Double($0.0) }
        guard words.count == 2, !plain.contains("...") else { return words.prefix(2).map { $0 * scale } }
        let (first, second) = (words[0], words[1])
        if plain.contains("<<") { return [first * pow(2, second)] }
        if plain.contains(" * ") { return [first * second * scale] }
        if plain.contains(" / ") { return [first / second] }
        return [first * scale]
    }

    /// The numbers of a cell, such as `10 min`, `60 %`, `64 kB` or `1 to 20`, in seconds, shares and bytes.
    private static func numbers(shown cell: String) -> [Double] {
        let units: [String: Double] = [
            "ms": 0.001, "min": 60, "h": 3600, "days": 86_400, "%": 0.01, "kB": 1024, "MB": 1_048_576,
        ]
        let factor = cell.split(separator: " ").last.flatMap { units[String($0)] } ?? 1
        return cell.replacing(",", with: "").matches(of: /[0-9]+(?:\.[0-9]+)?/).compactMap { Double($0.0) }
            .map { $0 * factor }
    }

    private static func areEqual(_ a: [Double], _ b: [Double]) -> Bool {
        a.count == b.count && !a.isEmpty && zip(a, b).allSatisfy { abs($0 - $1) <= 0.011 * max(abs($0), 1e-9) }
    }

    @Test func `the page has all its tables`() {
        #expect(Self.rows.count > 130, "\(Self.rows.count)")
        #expect(Self.table(columns: 5).count > 20)
    }

    @Test(arguments: ThresholdTests.rows)
    func `a number of the page is the one in the code`(row: Row) throws {
        let shown = Self.numbers(shown: row.value)
        guard let first = row.code.first else { return }
        let parts = first.split(separator: ".").map(String.init)
        let isPlace = row.code.count == 2
        let source = try Self.source(of: isPlace ? first : parts[0])
        try #require(!source.isEmpty, "there is no file of \(first)")
        if isPlace {
            #expect(source.contains(row.code[1]), "\(first) has no \(row.code[1])")
            // The number of the place stands as it is, or with the unit.
            let raw = row.code[1].replacing("_", with: "").matches(of: /[0-9]+(?:\.[0-9]+)?/).compactMap {
                Double($0.0)
            }
            let plain = Self.numbers(shown: row.value.split(separator: " ").first.map(String.init) ?? "")
            let isRange = row.value.contains(" to ")
            let isSame = raw.contains { number in Self.areEqual([number], shown) || Self.areEqual([number], plain) }
            #expect(isSame || isRange && Self.areEqual(raw, shown), "\(row.value), in the code \(row.code[1])")
        } else {
            let expression = try #require(try Self.declared(parts[parts.count - 1], in: source), "no \(first)")
            #expect(Self.areEqual(Self.numbers(in: expression), shown), "\(row.value), in the code \(expression)")
        }
    }

    @Test func `every rule of recognition is on the page, and models show prints it`() throws {
        let limits = RecognitionRules().limits
        let told = Self.rows.compactMap(\.code.first).filter { $0.hasPrefix("RecognitionRules.") }
        #expect(Set(told) == Set(limits.map { "RecognitionRules.\($0.path)" }))
        #expect(limits.allSatisfy { $0.value.isFinite })
        let shown = try Program.run("models", "show", "--config", "config.toml", "--json").output
        let model = try #require(JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any])
        let rules = try #require(model["rules"] as? [String: Double])
        #expect(rules == Dictionary(uniqueKeysWithValues: limits.map { ($0.name, $0.value) }) && model["labels"] != nil)
    }

    @Test func `a setting of the page exists, and its default is the page's number`() throws {
        let list = try Program.run("config", "show", "--config", "config.toml", "--json").output
        let entries = try #require(
            JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]], "\(list)")
        let defaults = entries.reduce(into: [String: String]()) { values, entry in
            if let key = entry["key"] as? String { values[key] = entry["value"] as? String ?? "" }
        }
        for row in Self.rows {
            let keys = row.setting.matches(of: /`([a-z]+\.[a-z_]+)`/).map { String($0.1) }
            for key in keys where !row.setting.contains("plan") {
                let value = try #require(defaults[key], "\(row.what): there is no \(key)")
                // A row with a name in the code is compared with that.
                guard row.code.isEmpty else { continue }
                #expect(
                    Self.areEqual(Self.numbers(in: value), Self.numbers(shown: row.value)) || value == row.value,
                    "\(key): \(value)")
            }
        }
    }

    @Test func `the limits of the rules are those of the shipped file`() throws {
        let file = Program.root.appending(path: "Models/exercises.rules.toml")
        let text = try String(contentsOf: file, encoding: .utf8)
        let blocks = text.components(separatedBy: "[[rule]]").dropFirst()
        func value(_ key: String, _ block: String) throws -> String? {
            try Regex("(?m)^\(key) = \"?([^\"\\n]+)").firstMatch(in: block)?[1].substring.map(String.init)
        }
        let rules = try blocks.compactMap { block -> [String]? in
            let (least, most) = (try value("least", block), try value("most", block))
            guard least != nil || most != nil else { return nil }
            let (action, measure) = (try value("action", block) ?? "", try value("measure", block) ?? "")
            return ["`\(action)`", "`\(measure)`", least ?? "–", most ?? "–", try value("tolerance", block) ?? "–"]
        }
        let shown = Self.table(columns: 5)
        #expect(shown == rules, "\(shown.filter { !rules.contains($0) }), \(rules.filter { !shown.contains($0) })")
    }

    @Test func `the thresholds of the shipped model are the page's`() throws {
        let shown = try Program.run("models", "show", "Models/exercises.safetensors", "--json").output
        let text = shown.replacing(" ", with: "")
        for key in ["min_confidence", "min_pose_ratio"] {
            let value = text.firstMatch(of: try Regex("\"\(key)\":([0-9.]+)"))?[1].substring.flatMap { Double($0) }
            #expect(value.map { abs($0 - 0.6) < 0.001 } == true, "\(key): \(text.prefix(2000))")
        }
    }
}
