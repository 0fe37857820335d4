import Synchronization

/// Counts from 0.
final class Counter: Sendable {
    private let value = Mutex(0)
    func take() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}
