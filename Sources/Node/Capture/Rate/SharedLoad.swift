import Synchronization

/// Divides processor time among cameras. Each camera may use an even share, and what the others leave unused.
///
/// Loads are shares of a core. A camera that is not open has no share, so it leaves everything to the others.
public final class SharedLoad: Sendable {
    private let total, most: Double
    /// The loads of the open cameras, by the number of their share; `nil` before the first report.
    private let state = Mutex<(loads: [Int: Double?], next: Int)>(([:], 0))

    /// - Parameters:
    ///   - total: the load that all cameras together may cause.
    ///   - most: the load that one camera may cause at most.
    public init(total: Double, most: Double) {
        self.total = total
        self.most = most
    }

    /// A share for a camera that is being opened.
    public func join() -> Share {
        Share(
            of: self,
            number: state.withLock { state in
                state.next += 1
                state.loads.updateValue(nil, forKey: state.next)
                return state.next
            })
    }

    /// What one camera may use. It is given back when nobody holds it any more.
    public final class Share: Sendable {
        private let whole: SharedLoad
        private let number: Int

        fileprivate init(of whole: SharedLoad, number: Int) {
            self.whole = whole
            self.number = number
        }

        deinit { whole.state.withLock { _ = $0.loads.removeValue(forKey: number) } }

        /// Says how much the camera uses, about once a second.
        public func report(_ load: Double) {
            whole.state.withLock { _ = $0.loads.updateValue(load, forKey: number) }
        }

        /// The load that the camera may cause now.
        public var permitted: Double {
            whole.state.withLock { state in
                let even = min(whole.most, whole.total / Double(max(1, state.loads.count)))
                // A camera that has not reported yet may soon use all of its share.
                let others = state.loads.filter { $0.key != number }.values.reduce(0) { $0 + ($1 ?? even) }
                return min(whole.most, max(even, whole.total - others))
            }
        }
    }
}
