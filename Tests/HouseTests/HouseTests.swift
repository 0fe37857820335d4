import Foundation
import Testing

/// The rules of the house that a compiler does not hold: which target may know which, doc comments, and texts that
/// must not appear. `make shape` prints the sizes.
@Suite struct HouseTests {
    private struct SourceFile: Sendable {
        /// Relative to the repository's root.
        let path: String
        let lines: [Substring]
        /// The folder of the target: below `Sources/Node` and the like, or below `Tests`.
        var target: String {
            let parts = path.split(separator: "/").dropFirst(path.hasPrefix("Sources/") ? 2 : 1)
            return parts.first.map(String.init) ?? ""
        }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    private static func files(in folder: String, suffixes: [String] = [".swift"]) -> [SourceFile] {
        let base = root.appending(path: folder).path
        let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
        return names.sorted().filter { name in suffixes.contains { name.hasSuffix($0) } }.compactMap { name in
            guard let text = try? String(contentsOfFile: base + "/" + name, encoding: .utf8) else { return nil }
            return SourceFile(
                path: folder + "/" + name, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    private static let sources = files(in: "Sources")

    /// The targets in the order of their arrows: each may import only what stands before it.
    private static let order = [
        "Records", "Words", "Contract", "CommandLineProgram", "TOMLSettings", "Broker", "NeuralNet", "Capture", "Poses",
        "Actions",
        "Workouts", "History", "Demonstration", "Sharing", "Messaging", "Configuration", "Agent",
        "Diagnostics", "HTTPServing", "Web", "SyntheticMotion", "Training", "spotter", "Sink", "spotter-sink",
    ]

    /// What a target must not know although it stands before it, and why.
    private static let forbidden: [String: Set<String>] = [
        // Pictures and networks are two worlds until poses are found.
        "Capture": ["NeuralNet", "Records"],
        "Workouts": ["NeuralNet", "Capture"],
        "History": ["NeuralNet", "Poses", "Capture"],
        // What is handed on is read from the history, whatever was seen.
        "Sharing": ["NeuralNet", "Poses", "Actions", "Broker"],
        // Settings take their defaults from the targets that use them, and are read without a broker.
        "Configuration": ["NeuralNet", "Messaging"],
        "SyntheticMotion": ["Actions", "Capture", "History", "Messaging", "Configuration", "Agent", "Diagnostics"],
        // The server knows nothing of what it serves.
        "HTTPServing": Set(order).subtracting(["Records"]),
        // The receiver knows nodes by the contract alone.
        "Sink": Set(order).subtracting(["Records", "Contract", "TOMLSettings", "Broker", "HTTPServing"]),
        "spotter-sink": Set(order).subtracting(["Records", "CommandLineProgram", "TOMLSettings", "Broker", "Sink"]),
        // Nothing in training reaches the running node, and nothing in the running node reaches training.
        "Training": ["Capture", "History", "Messaging", "Configuration", "Agent", "Diagnostics"],
    ]

    /// Outside packages and C libraries, and the only targets that may import them.
    private static let owners: [String: Set<String>] = [
        "ArgumentParser": ["spotter", "spotter-sink", "CommandLineProgram"],
        "Logging": ["Agent", "Web", "spotter", "CommandLineProgram", "Sink", "spotter-sink"],
        "ServiceLifecycle": ["Agent", "Web"], "NIOCore": ["HTTPServing"], "NIOHTTP1": ["HTTPServing"],
        "NIOPosix": ["HTTPServing"],
        "GRDB": ["History"], "CTOML": ["TOMLSettings"], "CMosquitto": ["Broker"],
        "COpenSSL": ["Records", "Broker", "Web"], "CPostgres": ["Sink"], "CV4L2": ["Capture"],
        "CTurboJPEG": ["Capture"],
        "COpenBLAS": ["NeuralNet"], "CKernels": ["NeuralNet", "Poses"], "CWords": ["Words"],
    ]

    @Test func `arrows between targets point down`() {
        var wrong: [String] = []
        for file in Self.sources {
            let rank = Self.order.firstIndex(of: file.target) ?? -1
            #expect(rank >= 0, "\(file.target) is not in the order of targets")
            for line in file.lines where line.hasPrefix("import ") {
                let module = String(line.dropFirst("import ".count))
                let isAbove = Self.order.firstIndex(of: module).map { $0 >= rank } ?? false
                let isForbidden = Self.forbidden[file.target]?.contains(module) ?? false
                let isForeign = Self.owners[module].map { !$0.contains(file.target) } ?? false
                if isAbove || isForbidden || isForeign { wrong.append("\(file.path): \(line)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test func `every public declaration has a doc comment`() {
        let declaration =
            /\s*(?:public|package) (?:static |final |mutating |indirect |nonisolated |convenience |(?:private|internal)\(set\) )*(?:struct|class|enum|actor|protocol|func|var|let|init|subscript|typealias)\b.*/
        // Their meaning comes with the protocols of the language.
        let known = [
            "init(from decoder", "func encode(to", "static func ==", "static func <", "func hash(", "var description:",
            "var errorDescription", "func makeAsyncIterator", "func next(", "Literal value", "Literal elements",
        ]
        var missing: [String] = []
        for file in Self.sources {
            for (index, line) in file.lines.enumerated() where line.wholeMatch(of: declaration) != nil {
                if known.contains(where: { line.contains($0) }) { continue }
                let before = file.lines[..<index].last { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("@") }
                if before?.trimmingCharacters(in: .whitespaces).hasPrefix("///") != true {
                    missing.append("\(file.path):\(index + 1): \(line)")
                }
            }
        }
        #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
    }

    @Test func `no file names a developer's machine`() {
        let texts = [".swift", ".c", ".h", ".md", ".py", ".sh", ".toml", ".json", ".yml", ".service", ".conf"]
        let all = ["Sources", "Tests", "deploy", "Models", ".github"].flatMap { Self.files(in: $0, suffixes: texts) }
        #expect(all.count > 500)
        let path = /(?:^|[\s"'=(])\/(?:work|Users|home\/runner)\/.*/
        var found: [String] = []
        for file in all {
            for (index, line) in file.lines.enumerated() where line.firstMatch(of: path) != nil {
                found.append("\(file.path):\(index + 1): \(line)")
            }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// Both belong to libdispatch's event loop, which can crash when a pipe ends; see `Child`.
    @Test func `tests start programs by Child alone`() {
        let banned = /\bProcess\(|\bProcess\b\.run|\breadabilityHandler\s*=|\bposix_spawnp?\(|\bPipe\(/
        let files = Self.files(in: "Tests").filter { $0.target != "TestSupport" && $0.target != "HouseTests" }
        #expect(files.count > 200)
        for file in files {
            for (index, line) in file.lines.enumerated() where line.firstMatch(of: banned) != nil {
                Issue.record("\(file.path):\(index + 1) does not start its program by Child: \(line)")
            }
        }
    }

    /// `1 sessions` is read as a fault of the number. Limits are always many; other plurals come from `counted`.
    @Test func `a number has its noun in the right number`() throws {
        let nouns = [
            "sessions", "sets", "clips", "records", "repetitions", "windows", "workouts", "days", "steps", "people",
            "models", "files", "topics", "cameras", "exercises", "predictions", "rows", "zones", "masks",
        ]
        let plural = try Regex("\\\\\\([^\"\\\\]*\\) (\(nouns.joined(separator: "|")))\\b")
        let limits = /maximum|minimum|most|least|Limits?\.|longest/.ignoresCase()
        for file in Self.sources {
            for (index, line) in file.lines.enumerated() where !line.contains("///") {
                guard let found = line.firstMatch(of: plural)?.output[0].substring else { continue }
                let isLimit = found.firstMatch(of: limits) != nil
                #expect(isLimit, "\(file.path):\(index + 1): write counted(…) in \(found)")
            }
        }
    }

    @Test func `the program knows nothing of the tests`() {
        for file in Self.sources {
            #expect(!file.lines.contains { $0.hasPrefix("import") && $0.contains("TestSupport") }, "\(file.path)")
        }
    }
}
