import Poses

/// The frames of a recording; when it is shorter than a window, it is played back and forth until it fills one.
///
/// Most exercises return the way they came, so a reversed movement still looks like itself. A repeated one would jump.
public struct BackAndForth: AsyncSequence {
    private let base: any AsyncSequence<TrackedFrame, any Error>
    private let seconds: Double
    private let state = State()

    fileprivate final class State {
        var wasRepeated = false
    }

    /// - Parameters:
    ///   - base: the frames, in order of time.
    ///   - model: its window is to be filled.
    public init(_ base: any AsyncSequence<TrackedFrame, any Error>, filling model: ModelDescription) {
        self.base = base
        // From the first to the last frame, with a tolerance for rounded times.
        seconds = Double(model.windowFrames - 1) / model.framesPerSecond - 1e-3
    }

    /// Whether frames were repeated. Known once the sequence has ended.
    public var wasRepeated: Bool { state.wasRepeated }

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), seconds: seconds, state: state)
    }

    /// Yields the frames, then the repeated ones.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: any AsyncIteratorProtocol<TrackedFrame, any Error>
        private let seconds: Double
        private let state: State
        /// The frames so far, without pictures; empty once they fill a window.
        private var kept: [TrackedFrame] = []
        private var isShort = true
        private var repeated: ArraySlice<TrackedFrame>?

        fileprivate init(base: any AsyncIteratorProtocol<TrackedFrame, any Error>, seconds: Double, state: State) {
            (self.base, self.seconds, self.state) = (base, seconds, state)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> TrackedFrame? {
            guard repeated == nil else { return repeated?.popFirst() }
            if let frame = try await base.next(isolation: actor) {
                if isShort {
                    kept.append(frame.withoutImage(at: frame.time))
                    isShort = frame.time - kept[0].time < seconds
                    if !isShort { kept = [] }
                }
                return frame
            }
            let more = more()
            if !more.isEmpty { state.wasRepeated = true }
            repeated = more[...]
            return repeated?.popFirst()
        }

        public mutating func next() async throws -> TrackedFrame? { try await next(isolation: nil) }

        /// The frames that fill up the window.
        private func more() -> [TrackedFrame] {
            guard isShort, kept.count > 2, let first = kept.first, let last = kept.last else { return [] }
            let length = last.time - first.time
            let interval = length / Double(kept.count - 1)
            // The last frame stands for its interval, too.
            guard length + interval >= ModelDescription.minimumWindowShare * seconds, length > 0 else { return [] }
            let count = Int(((seconds - length) / interval).rounded(.up))
            return (0..<count).map { index in
                kept[KeypointFrame.backAndForth(kept.count + index, count: kept.count)]
                    .withoutImage(at: last.time + Double(index + 1) * interval)
            }
        }
    }
}

extension TrackedFrame {
    fileprivate func withoutImage(at time: Double) -> TrackedFrame {
        TrackedFrame(
            index: index, time: time, image: nil, widthPixels: widthPixels, heightPixels: heightPixels, tracks: tracks,
            prominent: prominent)
    }
}
