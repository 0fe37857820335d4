/// Sums over the rows of `[rows, channels]`, one per channel. Norms and dense layers use them.
@usableFromInline
enum ChannelSums {
    @inlinable
    static func sum<S: Scalar>(_ x: UnsafePointer<S>, rows: Int, _ channels: Int) -> [S] {
        overRows(rows, channels) { sums, row in
            let source = x + row * channels
            for channel in 0..<channels { sums[channel] += source[channel] }
        }
    }

    /// Sums of squared distances from `center[channel]`.
    @inlinable
    static func squares<S: Scalar>(
        _ x: UnsafePointer<S>, around center: UnsafePointer<S>, rows: Int, _ channels: Int
    ) -> [S] {
        overRows(rows, channels) { sums, row in
            let source = x + row * channels
            for channel in 0..<channels {
                let distance = source[channel] - center[channel]
                sums[channel] += distance * distance
            }
        }
    }

    @inlinable
    static func products<S: Scalar>(
        _ x: UnsafePointer<S>, _ y: UnsafePointer<S>, rows: Int, _ channels: Int
    ) -> [S] {
        overRows(rows, channels) { sums, row in
            let first = x + row * channels, second = y + row * channels
            for channel in 0..<channels { sums[channel] += first[channel] * second[channel] }
        }
    }

    /// `y += x · factor[channel]`
    @inlinable
    static func addScaled<S: Scalar>(
        _ x: UnsafePointer<S>, _ factor: UnsafePointer<S>, rows: Int, _ channels: Int, to y: UnsafeMutablePointer<S>
    ) {
        for row in 0..<rows {
            let source = x + row * channels, target = y + row * channels
            for channel in 0..<channels { target[channel] += source[channel] * factor[channel] }
        }
    }

    @inlinable @inline(__always)
    static func overRows<S: Scalar>(
        _ rows: Int, _ channels: Int, _ add: (UnsafeMutablePointer<S>, Int) -> Void
    ) -> [S] {
        [S](unsafeUninitializedCapacity: channels) { buffer, initialized in
            buffer.initialize(repeating: 0)
            initialized = channels
            guard let sums = buffer.baseAddress else { return }
            for row in 0..<rows { add(sums, row) }
        }
    }
}
