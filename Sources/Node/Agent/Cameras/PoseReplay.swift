import Foundation
import Poses
import Synchronization

/// A recorded pose stream as a sequence of frames, at full speed or paced like the original.
struct PoseReplay: AsyncSequence {
    typealias Element = TrackedFrame
    private let reader: PoseStreamReader
    private let paced: Bool
    private let stopped = Flag()

    init(reader: PoseStreamReader, paced: Bool) {
        self.reader = reader
        self.paced = paced
    }

    /// The stop flag. Separate from the reader, which stays with its task.
    fileprivate final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    var stop: @Sendable () -> Void {
        let stopped = stopped
        return { stopped.set() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(reader: reader, paced: paced, stopped: stopped) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: PoseStreamReader
        fileprivate let paced: Bool
        fileprivate let stopped: Flag
        fileprivate let began = ContinuousClock.now

        mutating func next() async throws -> TrackedFrame? { try await next(isolation: #isolation) }

        mutating func next(isolation: isolated (any Actor)?) async throws -> TrackedFrame? {
            if stopped.isSet { return nil }
            guard let frame = try reader.next() else { return nil }
            while paced && !stopped.isSet && ContinuousClock.now < began + .seconds(frame.time) {
                let left = ContinuousClock.now.duration(to: began + .seconds(frame.time))
                try await Task.sleep(for: Swift.min(left, .milliseconds(250)))
            }
            return stopped.isSet ? nil : frame
        }
    }
}
