import Foundation
import Glibc
import Synchronization

/// Reads a child's stderr on a thread, so that the pipe never fills, and keeps the last 4,096 bytes for error messages.
final class StderrTail: Sendable {
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

    /// Whether the tail contains `text`.
    func contain(_ text: String) -> Bool { String(decoding: tail.withLock { $0 }, as: UTF8.self).contains(text) }

    /// The last line the child wrote. Call it after the child has ended.
    func lastLine() -> String {
        // The child has ended, so its end of the pipe is closed and the thread finishes at once. A grandchild may keep
        // the pipe open, so the wait has a limit.
        if ended.wait(timeout: .now() + 0.5) == .success { ended.signal() }
        let text = String(decoding: tail.withLock { $0 }, as: UTF8.self)
        return text.split(separator: "\n").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }
}
