import Dispatch
import Synchronization

/// Makes the next value on another thread while the present one is used: at most one value ahead, none is dropped.
package final class Prefetch<Value: Sendable>: Sendable {
    private let make: @Sendable (Int) -> Value?
    private let queue = DispatchQueue(label: "spotter.training.batches")
    private let next = Mutex<(index: Int, value: Value?)>((0, nil))
    private let isReady = DispatchSemaphore(value: 0)

    /// - Parameter make: gives the value of an index, counted from 0; `nil` behind the last.
    package init(make: @escaping @Sendable (Int) -> Value?) {
        self.make = make
        start(0)
    }

    /// Waits for the next value and starts the one after it. `nil` once, at the end.
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
