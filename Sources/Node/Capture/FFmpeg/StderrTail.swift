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

    /// The last line the child wrote, behind the line before it where that one names the reason. ffmpeg ends with what
    /// it could not do, and says why before. Call it after the child has ended.
    func complaint() -> String {
        // The child has ended, so its end of the pipe is closed and the thread finishes at once. A grandchild may keep
        // the pipe open, so the wait has a limit.
        if ended.wait(timeout: .now() + 0.5) == .success { ended.signal() }
        let text = String(decoding: tail.withLock { $0 }, as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let last = lines.last else { return "" }
        let general = "Invalid data found when processing input"
        // Such as `[mov,mp4,m4a @ 0x5584f5ed9480] moov atom not found`.
        guard last.hasSuffix(general), let reason = lines.dropLast().last?.wholeMatch(of: /\[[^\]]* @ 0x\w+\] (.+)/)
        else { return last }
        return "\(last.dropLast(general.count))\(reason.output.1) (\(general))"
    }
}
