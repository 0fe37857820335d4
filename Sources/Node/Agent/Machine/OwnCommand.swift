import Capture
import Foundation

/// A command of this program in a child process, at low priority, so that long work takes no time from recognition.
///
/// It is killed by ``kill()``; the thread that reads its output keeps it until it ends.
package final class OwnCommand: Sendable {
    /// The longest line of output in bytes; the rest of a longer one is lost.
    private static let longestLine = 4 << 20

    private let process: ChildProcess

    /// The start of the command line: this program, also after its file was replaced by a newer version.
    ///
    /// `/proc/self` would be the program `nice`.
    package static let program = ["nice", "-n", "10", "/proc/\(getpid())/exe"]

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - arguments: what follows the program's name.
    ///   - program: the start of the command line.
    ///   - line: called for each line of its standard output, on a thread of its own.
    ///   - ended: called once, on the same thread, with the exit status and the last line on its standard error.
    /// - Throws: `CaptureError` when it cannot be started.
    package init(
        _ arguments: [String], program: [String] = OwnCommand.program, line: @escaping @Sendable (String) -> Void,
        ended: @escaping @Sendable (_ status: Int32, _ complaint: String) -> Void
    ) throws {
        let process = try ChildProcess(program[0], Array(program.dropFirst()) + arguments)
        self.process = process
        let thread = Thread {
            Self.readLines(of: process, line)
            let end = process.wait()
            ended(end.status, end.complaint)
        }
        thread.start()
    }

    /// Asks it to end and to keep what it has, as Ctrl-C does.
    package func interrupt() { process.interrupt() }

    /// Ends it at once.
    package func kill() { process.kill() }

    private static func readLines(of process: ChildProcess, _ line: (String) -> Void) {
        var pending: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = chunk.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { process.read(into: $0, count: bytes.count) } ?? 0
            }
            guard count > 0 else { return }
            for byte in chunk[..<count] {
                if byte == UInt8(ascii: "\n") {
                    line(String(decoding: pending, as: UTF8.self))
                    pending = []
                } else if pending.count < longestLine {
                    pending.append(byte)
                }
            }
        }
    }
}
