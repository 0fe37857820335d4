import Foundation
import Glibc
import Synchronization

/// What a program writes into a pipe, read by a thread of its own.
package final class CollectedText: Sendable {
    private let state = Mutex((bytes: Data(), isWhole: false))

    /// Reads until nobody can write any more, and then closes the descriptor. Without a descriptor it stays empty.
    init(reading descriptor: Int32?) {
        guard let descriptor else {
            state.withLock { $0.isWhole = true }
            return
        }
        Thread.detachNewThread { [self] in
            var part = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = read(descriptor, &part, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                state.withLock { $0.bytes += part.prefix(count) }
            }
            close(descriptor)
            state.withLock { $0.isWhole = true }
        }
    }

    /// All bytes so far.
    package var bytes: Data { state.withLock { $0.bytes } }

    /// The text so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The whole lines so far.
    package var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits until nobody can write any more, and returns all bytes.
    package func wholeBytes() -> Data {
        while !state.withLock({ $0.isWhole }) { usleep(2000) }
        return bytes
    }

    /// Waits until nobody can write any more, and returns the text.
    package func whole() -> String { String(decoding: wholeBytes(), as: UTF8.self) }
}
