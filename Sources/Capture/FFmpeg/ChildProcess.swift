import Foundation
import Glibc
import Synchronization

/// A program at the other end of pipes. It is killed when nobody holds it any more.
///
/// Decoders run this way, so that a malformed file can crash only the decoder.
package final class ChildProcess: Sendable {
    /// What a program reads on its standard input.
    package enum Input {
        case nothing
        /// A text of at most 4,096 bytes, which no list of processes shows.
        case text(String)
        /// What ``write(_:)`` hands over.
        case written
    }

    /// How long a program may take before it is ended.
    package enum Limit: Sendable {
        case none
        /// So many seconds without output.
        case silence(seconds: Int)
        case until(ContinuousClock.Instant)

        /// Milliseconds that are left for the next output; -1 is for ever.
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
    /// The end we write to; -1 when the program gets no input, or no more.
    private let input: Mutex<Int32>
    private let complaints: StderrTail
    private let status = Mutex<Int32?>(nil)
    private let limit: Limit
    private let lateness = Mutex(false)

    /// Whether the program was ended because it took longer than its limit.
    package var wasLate: Bool { lateness.withLock { $0 } }

    /// Starts `program` from the search path.
    ///
    /// - Throws: ``CaptureError/decoderMissing(program:)`` when it cannot be started.
    package init(_ program: String, _ arguments: [String], input: Input = .nothing, limit: Limit = .none) throws {
        self.limit = limit
        let (process, input, out, err) = try Self.spawning.withLock { _ in
            try Self.spawn([program] + arguments, input)
        }
        self.process = process
        self.input = Mutex(input)
        output = out
        complaints = StderrTail(descriptor: err)
    }

    /// One start at a time: a child must not inherit the pipes of another that is just being started.
    private static let spawning = Mutex(())

    /// Reads up to `count` bytes; 0 at the end, and when the program took too long.
    package func read(into buffer: UnsafeMutableRawPointer, count: Int) -> Int {
        while true {
            var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, limit.milliseconds)
            if ready < 0 && errno == EINTR { continue }
            if ready == 0 {
                lateness.withLock { $0 = true }
                kill()
                return 0
            }
            let n = Glibc.read(output, buffer, count)
            if n >= 0 { return n }
            if errno != EINTR { return 0 }
        }
    }

    /// Hands `bytes` to the program, waiting while it is busy; false when it no longer listens.
    ///
    /// A program that went away must not end us: the caller ignores SIGPIPE, or dies of it as a Unix tool does.
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

    /// Tells the program that nothing more comes.
    package func closeInput() {
        input.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Everything the program prints, up to `limit` bytes.
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

    /// Ends the program and all it has started, if it still runs. Safe to call from any thread, and more than once.
    package func kill() {
        status.withLock { if $0 == nil { _ = Glibc.kill(-process, SIGKILL) } }
    }

    /// Waits for the program's end: its exit status (128 + signal when killed) and the last line it wrote to stderr.
    package func wait() -> (status: Int32, complaint: String) {
        // Without the lock, so that `kill()` gets through, and without taking the status, so that the number stays its.
        var info = siginfo_t()
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        let code = status.withLock { known -> Int32 in
            if let known { return known }
            // What the program leaves behind would keep its pipes open.
            _ = Glibc.kill(-process, SIGKILL)
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0 && errno == EINTR {}
            let signal = raw & 0x7f
            let code = signal == 0 ? (raw >> 8) & 0xff : 128 + signal
            known = code
            return code
        }
        return (code, complaints.lastLine())
    }

    /// Whether one of the last lines it wrote to stderr holds this text; to be asked after ``wait()``.
    package func hasSaid(_ text: String) -> Bool { complaints.contain(text) }

    /// The processor time the program has used so far; 0 once it has ended.
    package var processorSeconds: Double {
        guard status.withLock({ $0 == nil }),
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let nameEnd = text.lastIndex(of: ")")
        else { return 0 }
        // proc(5): utime and stime are the 14th and 15th field, the name with its brackets is the second.
        let fields = text[nameEnd...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    deinit {
        kill()
        closeInput()
        _ = wait()
        close(output)
    }
}
