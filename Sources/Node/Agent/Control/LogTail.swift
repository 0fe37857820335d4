import Messaging
import Synchronization

/// The last lines of the node's log, without secrets, for a page that shows them.
package final class LogTail: Sendable {
    /// The number of lines kept.
    package static let capacity = 200
    private let kept = Mutex<[LogPayload]>([])

    /// No lines.
    package init() {}

    /// Adds a line in place of the oldest one.
    package func add(_ line: LogPayload) {
        kept.withLock { kept in
            if kept.count == Self.capacity { kept.removeFirst() }
            kept.append(line)
        }
    }

    /// The lines, oldest first.
    package var lines: [LogPayload] { kept.withLock { $0 } }
}
