import Foundation

/// The real program, built beside the tests, as a user starts it.
struct Program {
    struct Result {
        let status: Int32
        let output: String
        let messages: String
    }

    /// The checkout's top folder, where the bundled models and clips lie.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

    static let clips = root.appending(path: "Tests/Fixtures/clips")

    /// Whether the pose networks were fetched; without them nothing can be seen in a video.
    static let hasPoseModels = FileManager.default.fileExists(
        atPath: root.appending(path: "Models/pose_landmark_full.tflite").path)

    /// The tests' own executable lies in the build folder, and so does the program.
    static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "spotter")

    /// Starts the program in the checkout's folder.
    static func start(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (process: Process, output: Pipe, messages: Pipe) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = root
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
        let (process, output, messages) = try start(arguments, environment: environment)
        // What it says on stderr is short; a pipe holds it until stdout is read.
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
    /// Starts the program with no signal blocked. The threads that tests run on block them all, a child inherits that,
    /// and would then not hear SIGTERM.
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
    /// What another program prints.
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

    /// Waits until something holds; long, since the machine may have much else to do.
    static func wait(_ seconds: Double = 120, until holds: () throws -> Bool) rethrows -> Bool {
        // Looks are counted, not seconds: on a busy machine this process itself may have to wait.
        for _ in 0..<Int(seconds * 10) {
            if try holds() { return true }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return try holds()
    }

    /// How many times longer than on a free machine things take just now; for limits that are part of a promise.
    static func slowness() throws -> Double {
        let began = Date()
        _ = try run("--version")
        // Alone on two cores of a Xeon it takes 0.05 s.
        return max(1, Date().timeIntervalSince(began) / 0.1)
    }

    /// The rows of a database, as `sqlite3` prints them.
    static func sqlite(_ database: String, _ query: String) throws -> [String] {
        try tool("sqlite3", ["-readonly", database, query]).split(separator: "\n").map(String.init)
    }
}
