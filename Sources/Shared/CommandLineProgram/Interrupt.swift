import Dispatch
import Foundation

/// Handles Ctrl-C and SIGTERM: the first runs an action, the second ends the program at once.
package final class Interrupt {
    private let sources: [any DispatchSourceSignal]

    /// Runs `action` at the first signal.
    package init(_ action: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let first = First()
            source.setEventHandler {
                if first.claim() { action() } else { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    /// Gives the signals their usual meaning back.
    package func cancel() {
        sources.forEach { $0.cancel() }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }

    /// A flag that can be claimed once.
    ///
    /// Unchecked: `isClaimed` is accessed only with `lock` held.
    private final class First: @unchecked Sendable {
        private let lock = NSLock()
        private var isClaimed = false

        func claim() -> Bool {
            lock.lock()
            defer { lock.unlock() }
            defer { isClaimed = true }
            return !isClaimed
        }
    }
}
