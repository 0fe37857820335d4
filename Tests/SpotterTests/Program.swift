import Foundation
import TestSupport

/// The real program, built beside the tests, as a user starts it.
struct Program {
    struct Result {
        let status: Int32
        let output: String
        let messages: String
    }

    /// The checkout's top folder, with the bundled models and clips.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

    static let clips = root.appending(path: "Tests/Fixtures/clips")

    /// Whether the pose networks were fetched; without them no video can be analysed.
    static let hasPoseModels = FileManager.default.fileExists(
        atPath: root.appending(path: "Models/pose_landmark_full.tflite").path)

    /// The program, which is in the build folder beside the tests' executable.
    static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "spotter")

    /// Starts the program in the checkout's folder.
    static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Child {
        try start(executable.path, arguments, in: root, environment)
    }

    private static func start(
        _ program: String, _ arguments: [String], in folder: URL, _ environment: [String: String]
    ) throws -> Child {
        try Child(
            program, arguments, in: folder,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    }

    /// Runs the program to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try run(arguments, environment: environment)
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        finish(try start(arguments, environment: environment))
    }

    /// Runs a command line in bash, with these variables added to the environment, and arguments for `"$@"`.
    static func shell(
        _ line: String, in folder: URL = root, arguments: [String] = [], environment: [String: String]
    ) throws -> Result {
        finish(try start("/bin/bash", ["-c", line, "bash"] + arguments, in: folder, environment))
    }

    private static func finish(_ child: Child) -> Result {
        let (output, messages) = (child.output.whole(), child.messages.whole())
        return Result(status: child.wait(), output: output, messages: messages)
    }
}

extension Program {
    /// The output of another program.
    @discardableResult
    static func tool(_ name: String, _ arguments: [String]) throws -> String {
        finish(try Child(name, arguments)).output.trimmingCharacters(in: .newlines)
    }

    /// Waits until a condition holds. The limit is long, since the machine may be busy.
    static func wait(_ seconds: Double = 120, until holds: () throws -> Bool) rethrows -> Bool {
        // Count attempts, not seconds: on a busy machine this process itself may be delayed.
        for _ in 0..<Int(seconds * 10) {
            if try holds() { return true }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return try holds()
    }

    /// How many times slower than idle the machine is at present; scales limits that the program promises.
    static func slowness() throws -> Double {
        let began = Date()
        _ = try run("--version")
        // On two idle cores of a Xeon it takes 0.05 s.
        return max(1, Date().timeIntervalSince(began) / 0.1)
    }

    /// The rows of a database, as `sqlite3` prints them.
    static func sqlite(_ database: String, _ query: String) throws -> [String] {
        try tool("sqlite3", ["-readonly", database, query]).split(separator: "\n").map(String.init)
    }
}
