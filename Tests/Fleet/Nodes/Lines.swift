import Foundation
import Records
import Synchronization

/// What the program says: JSON lines on standard output, the nodes' warnings on standard error.
enum Lines {
    private static let lock = Mutex(())

    static func put(_ line: JSONValue) {
        do {
            let text = try JSONText.encode(line)
            try write(text, to: .standardOutput)
        } catch {
            // The runner is gone, and nobody would stop the nodes.
            exit(1)
        }
    }

    /// A lost warning changes nothing.
    static func log(_ text: String) { try? write(text, to: .standardError) }

    private static func write(_ text: String, to handle: FileHandle) throws {
        let data = Data((text + "\n").utf8)
        try lock.withLock { _ in try handle.write(contentsOf: data) }
    }
}
