import CTestSupport
import Foundation
import Glibc
import Synchronization

/// A program that a test started, on `posix_spawn`. It is killed with this value, and at the latest at the end of the
/// tests' process.
///
/// Foundation's `Process` and the `readabilityHandler` of its pipes are not used in tests: they share libdispatch's
/// event loop, which may touch a source that another thread has freed in the same moment.
///
/// A value is kept as long as it is used: use it once more after the last moment at which the program must run.
package final class Child: Sendable {
    /// Where the program's standard input comes from.
    package enum Input: Sendable {
        case nothing, file(URL)
        /// A pipe that stays open, and in which nothing is ever written.
        case open
    }

    /// Where the program's standard output, or its standard error, goes to.
    package enum Output: Sendable {
        case nothing, collected
        /// A file, which is emptied first.
        case file(URL)
    }

    /// The process id. It belongs to nobody else while ``isRunning``; to send a signal there is ``send(_:)``.
    package let id: pid_t
    /// What the program wrote to its standard output, if it is collected.
    package let output: CollectedText
    /// What the program wrote to its standard error, if it is collected.
    package let messages: CollectedText

    private let openInput: Int32?
    private let ended = Mutex<Int32?>(nil)

    /// Every child whose process id was not given back yet. The lock is also held while one starts, ends or gets a
    /// signal.
    private static let running = Mutex<Set<pid_t>>([])
    private static let endsWithThisProcess: Void = {
        atexit { Child.running.withLock { for id in $0 { _ = Glibc.kill(-id, SIGKILL) } } }
    }()

    /// Starts a program, which is searched in `PATH`, with no signal blocked and every signal's default action.
    ///
    /// - Parameter environment: all variables; those of this process without it.
    package init(
        _ program: String, _ arguments: [String] = [], in folder: URL? = nil, environment: [String: String]? = nil,
        input: Input = .nothing, output: Output = .collected, messages: Output = .collected
    ) throws {
        _ = Self.endsWithThisProcess
        let spawn = Spawn()
        openInput = try spawn.input(input)
        self.output = CollectedText(reading: try spawn.output(output, as: STDOUT_FILENO))
        self.messages = CollectedText(reading: try spawn.output(messages, as: STDERR_FILENO))
        id = try Self.running.withLock { running in
            let id = try spawn.start(
                [program] + arguments, in: folder, environment: environment ?? ProcessInfo.processInfo.environment)
            running.insert(id)
            return id
        }
    }

    deinit {
        kill()
        if let openInput { close(openInput) }
    }

    package var isRunning: Bool { status == nil }

    /// The exit status, or 128 and the signal's number; `nil` while the program runs.
    ///
    /// This is the only place that gives a process id back, and nothing is sent to it afterwards.
    package var status: Int32? {
        Self.running.withLock { running in
            ended.withLock { ended in
                guard ended == nil else { return ended }
                var word: Int32 = 0
                let found = waitpid(id, &word, WNOHANG)
                guard found != 0 else { return nil }
                precondition(found == id, "somebody else waited for process \(id)")
                running.remove(id)
                ended = word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F
                return ended
            }
        }
    }

    /// Waits for the end, and returns the exit status.
    @discardableResult
    package func wait() -> Int32 {
        while true {
            if let status = wait(within: 3600) { return status }
        }
    }

    /// Waits for the end, and returns the exit status, or `nil` if the program still runs after this time.
    package func wait(within seconds: Double) -> Int32? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var pause: UInt32 = 500
        while ContinuousClock.now < deadline {
            if let status { return status }
            usleep(pause)
            pause = min(pause * 2, 20_000)
        }
        return status
    }

    /// What the program writes to its standard output until it ends. The value lives as long, as it does not while only
    /// ``output`` is used.
    package func wholeOutputBytes() -> Data { withExtendedLifetime(self) { output.wholeBytes() } }

    /// The same as a text.
    package func wholeOutput() -> String { String(decoding: wholeOutputBytes(), as: UTF8.self) }

    /// Sends a signal, unless the program has ended.
    package func send(_ signal: Int32) {
        Self.running.withLock { if $0.contains(id) { _ = Glibc.kill(id, signal) } }
    }

    /// Asks the program to end, by SIGTERM.
    package func terminate() { send(SIGTERM) }

    /// Kills the program and what it started, and waits for its end.
    package func kill() {
        Self.running.withLock { if $0.contains(id) { _ = Glibc.kill(-id, SIGKILL) } }
        wait()
    }
}

/// Prepares and starts one program.
private final class Spawn {
    private var actions = posix_spawn_file_actions_t()
    /// The child's ends of pipes, which are closed here once the child has them.
    private var given: [Int32] = []

    init() { posix_spawn_file_actions_init(&actions) }

    deinit {
        posix_spawn_file_actions_destroy(&actions)
        for end in given { close(end) }
    }

    /// Gives the child its standard input, and returns the end that stays here.
    func input(_ input: Child.Input) throws -> Int32? {
        switch input {
        case .nothing: posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        case .file(let url): posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, url.path, O_RDONLY, 0)
        case .open:
            let (reading, writing) = try pipe()
            give(reading, as: STDIN_FILENO)
            return writing
        }
        return nil
    }

    /// Gives the child its standard output or error, and returns the end that stays here.
    func output(_ output: Child.Output, as descriptor: Int32) throws -> Int32? {
        switch output {
        case .nothing: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        case .file(let url):
            posix_spawn_file_actions_addopen(&actions, descriptor, url.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        case .collected:
            let (reading, writing) = try pipe()
            give(writing, as: descriptor)
            return reading
        }
        return nil
    }

    func start(_ command: [String], in folder: URL?, environment: [String: String]) throws -> pid_t {
        if let folder { test_spawn_in_folder(&actions, folder.path) }
        // Nothing else of the tests reaches the child, whose life may be longer than that of a connection.
        test_spawn_close_from(&actions, 3)
        var attributes = Self.attributes()
        var words = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer {
            for text in words + variables { free(text) }
            posix_spawnattr_destroy(&attributes)
        }
        var id: pid_t = 0
        let failure = posix_spawnp(&id, command[0], &actions, &attributes, &words, &variables)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
        return id
    }

    /// Its own process group, so that what it starts can be killed as well; no signal blocked or ignored, although the
    /// threads of the tests block some.
    private static func attributes() -> posix_spawnattr_t {
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    private func give(_ end: Int32, as descriptor: Int32) {
        posix_spawn_file_actions_adddup2(&actions, end, descriptor)
        given.append(end)
    }

    private func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard test_pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        return (ends[0], ends[1])
    }
}
