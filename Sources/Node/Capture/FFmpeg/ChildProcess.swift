import Foundation
import Glibc
import Synchronization

/// A program that runs in a child process, connected by pipes. It is killed when the last reference is released.
///
/// Decoders run this way, so that a malformed file can crash only the decoder.
package final class ChildProcess: Sendable {
    /// What a program reads from its standard input.
    package enum Input {
        /// An empty input.
        case nothing
        /// A text of at most 4,096 bytes. Unlike arguments, it is not visible in the process list.
        case text(String)
        /// The bytes passed to ``write(_:)``.
        case written
    }

    /// How long a program may run before it is killed.
    package enum Limit: Sendable {
        case none
        /// At most this many seconds without output.
        case silence(seconds: Int)
        /// At most until this moment.
        case until(ContinuousClock.Instant)

        /// The time left for the next output in milliseconds; -1 without a limit.
        fileprivate var milliseconds: Int32 {
            switch self {
            case .none: -1
            case .silence(let seconds): Int32(seconds) * 1000
            case .until(let end): Int32(max(0, min(ContinuousClock.now.duration(to: end).seconds * 1000, 1e9)))
            }
        }
    }

    private let process: pid_t
    private let output: Int32
    /// The descriptor of the lines that the program writes to its descriptor 3; -1 without them.
    private let notes: Int32
    /// What was read of the notes and is not yet a line.
    private let noteBytes = Mutex<[UInt8]>([])
    /// The descriptor to write to; -1 when the program has no input, or its input is closed.
    private let input: Mutex<Int32>
    private let stderrTail: StderrTail
    private let status = Mutex<Int32?>(nil)
    private let limit: Limit
    private let timedOut = Mutex(false)

    /// Whether the program was killed because it exceeded its limit.
    package var wasLate: Bool { timedOut.withLock { $0 } }

    /// Starts `program`, which is looked up in the search path.
    ///
    /// - Parameter hasNotes: whether it writes lines to its descriptor 3; see ``note()``.
    /// - Throws: ``CaptureError/decoderMissing(program:)`` when it cannot be started.
    package init(
        _ program: String, _ arguments: [String], input: Input = .nothing, limit: Limit = .none, hasNotes: Bool = false
    ) throws {
        self.limit = limit
        let child = try Self.spawning.withLock { _ in
            try Self.spawn([program] + arguments, input, hasNotes: hasNotes)
        }
        process = child.process
        self.input = Mutex(child.input)
        output = child.out
        notes = child.notes
        stderrTail = StderrTail(descriptor: child.err)
    }

    /// Serialises starts: a child must not inherit the pipes of another one that is being started.
    private static let spawning = Mutex(())

    /// Reads up to `count` bytes. Returns 0 at the end of the output, and when the limit was exceeded.
    package func read(into buffer: UnsafeMutableRawPointer, count: Int) -> Int {
        read(from: output, into: buffer, count: count)
    }

    /// The next line of the notes; `nil` at their end, and when the limit was exceeded.
    package func note() -> String? {
        noteBytes.withLock { bytes in
            while true {
                if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { bytes.removeSubrange(...end) }
                    return String(decoding: bytes[..<end], as: UTF8.self)
                }
                var chunk = [UInt8](repeating: 0, count: 512)
                let count = chunk.withUnsafeMutableBytes { chunk in
                    chunk.baseAddress.map { read(from: notes, into: $0, count: chunk.count) } ?? 0
                }
                if count == 0 { return nil }
                bytes += chunk[..<count]
            }
        }
    }

    private func read(from descriptor: Int32, into buffer: UnsafeMutableRawPointer, count: Int) -> Int {
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, limit.milliseconds)
            if ready < 0 && errno == EINTR { continue }
            if ready == 0 {
                timedOut.withLock { $0 = true }
                kill()
                return 0
            }
            let n = Glibc.read(descriptor, buffer, count)
            if n >= 0 { return n }
            if errno != EINTR { return 0 }
        }
    }

    /// Writes `bytes` to the program's standard input. Returns `false` when the program has closed it.
    ///
    /// Writing to a program that has ended raises SIGPIPE, which the caller must ignore to survive.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
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

    /// Closes the program's standard input.
    package func closeInput() {
        input.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Reads the program's output to its end, or until at least `limit` bytes are read.
    package func readAll(limit: Int) -> [UInt8] {
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

    /// Kills the program and everything it has started. May be called from any thread, and more than once.
    package func kill() {
        status.withLock { if $0 == nil { _ = Glibc.kill(-process, SIGKILL) } }
    }

    /// Asks the program to end, as Ctrl-C does. May be called from any thread, and more than once.
    package func interrupt() {
        status.withLock { if $0 == nil { _ = Glibc.kill(process, SIGINT) } }
    }

    /// Waits until the program ends. Returns its exit status (128 + signal when killed), and its last line on
    /// stderr, with the reason that a line before it gives.
    package func wait() -> (status: Int32, complaint: String) {
        // Wait without the lock, so that `kill()` is not blocked. WNOWAIT leaves the zombie, so the ID is not reused.
        var info = siginfo_t()
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        let code = status.withLock { known -> Int32 in
            if let known { return known }
            // Processes that the program left behind would keep its pipes open.
            _ = Glibc.kill(-process, SIGKILL)
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0 && errno == EINTR {}
            let signal = raw & 0x7f
            let code = signal == 0 ? (raw >> 8) & 0xff : 128 + signal
            known = code
            return code
        }
        return (code, stderrTail.complaint())
    }

    /// Whether the last 4,096 bytes of stderr contain `text`. Call it after ``wait()``.
    package func hasSaid(_ text: String) -> Bool { stderrTail.contain(text) }

    /// The processor time the program has used so far, in seconds; 0 once it has ended.
    package var processorSeconds: Double {
        guard status.withLock({ $0 == nil }),
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let nameEnd = text.lastIndex(of: ")")
        else { return 0 }
        // proc(5): utime and stime are fields 14 and 15; the name in parentheses is field 2.
        let fields = text[nameEnd...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    deinit {
        kill()
        closeInput()
        _ = wait()
        close(output)
        if notes >= 0 { close(notes) }
    }
}
