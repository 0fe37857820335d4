import Foundation
import Glibc
import Synchronization

/// A program at the other end of pipes. It is killed when nobody holds it any more.
///
/// Decoders run this way, so that a malformed file can crash only the decoder.
final class ChildProcess: Sendable {
    private let process: pid_t
    private let output: Int32
    /// The end we write to; -1 when the program gets no input, or no more.
    private let input: Mutex<Int32>
    private let complaints: Complaints
    private let status = Mutex<Int32?>(nil)
    private let patienceMilliseconds: Int32
    private let silence = Mutex(false)

    /// Whether the program was ended because it had nothing to say.
    var wasSilent: Bool { silence.withLock { $0 } }

    /// Starts `program` from the search path.
    ///
    /// - Parameters:
    ///   - takesInput: Whether ``write(_:)`` will be used; otherwise its standard input is empty.
    ///   - patienceSeconds: After so long without output it is ended; `nil` waits for ever.
    /// - Throws: ``CaptureError/decoderMissing(program:)`` when it cannot be started.
    init(_ program: String, _ arguments: [String], takesInput: Bool = false, patienceSeconds: Int? = nil) throws {
        patienceMilliseconds = patienceSeconds.map { Int32($0) * 1000 } ?? -1
        let (process, input, out, err) = try Self.spawning.withLock { _ in
            try Self.spawn([program] + arguments, takesInput: takesInput)
        }
        self.process = process
        self.input = Mutex(input)
        output = out
        complaints = Complaints(descriptor: err)
    }

    /// One start at a time: a child must not inherit the pipes of another that is just being started.
    private static let spawning = Mutex(())

    private static func spawn(
        _ command: [String], takesInput: Bool
    ) throws -> (process: pid_t, input: Int32, out: Int32, err: Int32) {
        let input = takesInput ? try pipe() : nil
        let out = try pipe()
        let err = try pipe()
        // A larger pipe saves switches between the two processes; refusal does no harm.
        // 1031 is F_SETPIPE_SZ, which the C library hides behind _GNU_SOURCE.
        _ = fcntl(out.read, 1031, 1 << 20)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, out.write, 1)
        posix_spawn_file_actions_adddup2(&actions, err.write, 2)
        // Its own process group: Ctrl-C is for us alone, we end the child ourselves. No signal blocked, whatever the
        // thread that starts it blocks.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, command[0], &actions, &attributes, &words, environ)
        close(out.write)
        close(err.write)
        if let input { close(input.read) }
        guard failure == 0 else {
            if let input { close(input.write) }
            close(out.read)
            close(err.read)
            throw CaptureError.decoderMissing(program: command[0])
        }
        return (process, input?.write ?? -1, out.read, err.read)
    }

    /// A pipe that children do not inherit.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw CaptureError.decodingFailed(source: "a pipe", reason: String(cString: strerror(errno)))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Reads up to `count` bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawPointer, count: Int) -> Int {
        while true {
            if patienceMilliseconds >= 0 {
                var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                if poll(&entry, 1, patienceMilliseconds) == 0 {
                    silence.withLock { $0 = true }
                    kill()
                    return 0
                }
            }
            let n = Glibc.read(output, buffer, count)
            if n >= 0 { return n }
            if errno != EINTR { return 0 }
        }
    }

    /// Hands `bytes` to the program, waiting while it is busy; false when it no longer listens.
    ///
    /// A program that went away must not end us: the caller ignores SIGPIPE, or dies of it as a Unix tool does.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let descriptor = input.withLock { $0 }
        var done = 0
        while let base = bytes.baseAddress, done < bytes.count {
            let n = Glibc.write(descriptor, base + done, bytes.count - done)
            if n < 0 && errno == EINTR { continue }
            if n <= 0 { return false }
            done += n
        }
        return true
    }

    /// Tells the program that nothing more comes.
    func closeInput() {
        input.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Everything the program prints, up to `limit` bytes.
    func readAll(limit: Int) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while all.count < limit {
            let n = chunk.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { read(into: $0, count: bytes.count) } ?? 0
            }
            if n == 0 { break }
            all.append(contentsOf: chunk[..<n])
        }
        return all
    }

    /// Ends the program if it still runs. Safe to call from any thread, and more than once.
    func kill() {
        status.withLock { if $0 == nil { _ = Glibc.kill(process, SIGKILL) } }
    }

    /// Waits for the program's end: its exit status (128 + signal when killed) and the last line it wrote to stderr.
    func wait() -> (status: Int32, complaint: String) {
        let code = status.withLock { known -> Int32 in
            if let known { return known }
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0 && errno == EINTR {}
            let signal = raw & 0x7f
            let code = signal == 0 ? (raw >> 8) & 0xff : 128 + signal
            known = code
            return code
        }
        return (code, complaints.lastLine())
    }

    deinit {
        kill()
        closeInput()
        _ = wait()
        close(output)
    }
}

/// Keeps the tail of what a child writes to stderr, so that the pipe never fills and a reason can be given.
private final class Complaints: Sendable {
    private let tail = Mutex<[UInt8]>([])
    private let ended = DispatchSemaphore(value: 0)

    init(descriptor: Int32) {
        let thread = Thread { [self] in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let n = Glibc.read(descriptor, &chunk, chunk.count)
                if n < 0 && errno == EINTR { continue }
                if n <= 0 { break }
                tail.withLock { $0 = Array(($0 + chunk[..<n]).suffix(4096)) }
            }
            close(descriptor)
            ended.signal()
        }
        thread.start()
    }

    func lastLine() -> String {
        // The child has ended, so its end of the pipe is closed and the thread finishes at once;
        // a grandchild that keeps the pipe open must not hold us up.
        if ended.wait(timeout: .now() + 0.5) == .success { ended.signal() }
        let text = String(decoding: tail.withLock { $0 }, as: UTF8.self)
        return text.split(separator: "\n").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }
}
