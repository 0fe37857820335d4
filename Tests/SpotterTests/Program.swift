import Foundation

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
    static func start(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (process: Process, output: Pipe, messages: Pipe) {
        try start(executable, arguments, in: root, environment)
    }

    private static func start(
        _ executable: URL, _ arguments: [String], in folder: URL, _ environment: [String: String]
    ) throws -> (process: Process, output: Pipe, messages: Pipe) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, messages) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = messages
        process.standardInput = FileHandle.nullDevice
        try process.runUnblocked()
        return (process, output, messages)
    }

    /// Runs the program to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try run(arguments, environment: environment)
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        try finish(start(arguments, environment: environment))
    }

    /// Runs a command line in bash, with these variables added to the environment, and arguments for `"$@"`.
    static func shell(
        _ line: String, in folder: URL = root, arguments: [String] = [], environment: [String: String]
    ) throws -> Result {
        try finish(start(URL(filePath: "/bin/bash"), ["-c", line, "bash"] + arguments, in: folder, environment))
    }

    private static func finish(_ started: (process: Process, output: Pipe, messages: Pipe)) throws -> Result {
        let (process, output, messages) = started
        // Its stderr is short enough for the pipe's buffer until stdout has been read.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let errors = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return Result(
            status: status, output: String(decoding: text, as: UTF8.self),
            messages: String(decoding: errors, as: UTF8.self))
    }
}

extension Process {
    /// Starts the program with no signal blocked. The threads of the tests block all signals; a child would inherit
    /// that and miss SIGTERM.
    func runUnblocked() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}

extension Program {
    /// The output of another program.
    @discardableResult
    static func tool(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.runUnblocked()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
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
