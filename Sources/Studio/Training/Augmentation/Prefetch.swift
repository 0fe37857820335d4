import Dispatch
import Synchronization

/// Computes the next value on another thread while the present one is used. At most one value is ahead, and none is
/// dropped.
package final class Prefetch<Value: Sendable>: Sendable {
    private let make: @Sendable (Int) -> Value?
    private let queue = DispatchQueue(label: "spotter.training.batches")
    private let next = Mutex<(index: Int, value: Value?)>((0, nil))
    private let isReady = DispatchSemaphore(value: 0)

    /// - Parameter make: returns the value of an index, counted from 0; `nil` after the last one.
    package init(make: @escaping @Sendable (Int) -> Value?) {
        self.make = make
        start(0)
    }

    /// Waits for the next value and starts computing the one after it. `nil` at the end; do not call again after that.
    package func callAsFunction() -> Value? {
        isReady.wait()
        let (index, value) = next.withLock { $0 }
        if value != nil { start(index + 1) }
        return value
    }

    private func start(_ index: Int) {
        queue.async { [self] in
            let value = make(index)
            next.withLock { $0 = (index, value) }
            isReady.signal()
        }
    }
}
