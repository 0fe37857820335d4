import Capture

/// Everyone in each frame of a source: finds the joints, and tracks each person.
public struct TrackedFrames: AsyncSequence {
    /// The sequence delivers frames with their tracks.
    public typealias Element = TrackedFrame
    private let frames: Frames
    private let estimator: PoseEstimator
    private let tracking: Tracker.Settings

    /// The sequence reads the frames when it is iterated.
    public init(of frames: Frames, estimator: PoseEstimator, tracking: Tracker.Settings = Tracker.Settings()) {
        (self.frames, self.estimator, self.tracking) = (frames, estimator, tracking)
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(frames: frames.makeAsyncIterator(), estimator: estimator, tracker: Tracker(tracking))
    }

    /// Frame → poses → tracks.
    public struct Iterator: AsyncIteratorProtocol {
        var frames: Frames.Iterator
        let estimator: PoseEstimator
        var tracker: Tracker

        public mutating func next() async throws -> TrackedFrame? { try await next(isolation: #isolation) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> TrackedFrame? {
            guard let frame = try await frames.next(isolation: actor) else { return nil }
            return tracker.follow(estimator.poses(in: frame))
        }
    }
}
