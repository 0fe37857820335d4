import Dispatch
import Foundation

/// Ctrl-C and SIGTERM as a tidy stop: the first runs an action, the second ends the program at once.
final class Interrupt {
    private let sources: [any DispatchSourceSignal]

    init(_ action: @escaping @Sendable () -> Void) {
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

    func cancel() {
        sources.forEach { $0.cancel() }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }

    /// True once.
    private final class First: @unchecked Sendable {
        private let lock = NSLock()
        private var taken = false

        func claim() -> Bool {
            lock.lock()
            defer { lock.unlock() }
            defer { taken = true }
            return !taken
        }
    }
}
