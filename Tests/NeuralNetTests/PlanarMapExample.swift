import NeuralNet

/// Pseudo-random numbers between -1 and 1, the same in every run.
struct RandomNumbers {
    private var random = RandomSource(seed: 12)

    mutating func next(_ count: Int) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }
}

/// A channel-planar map: planes whose rows are separated by two zeros.
struct PlanarMapExample {
    let height, width, channels, row, plane: Int
    let memory: AlignedMemory
    var start: UnsafeMutablePointer<Float> { memory.start + 16 }

    init(_ height: Int, _ width: Int, _ channels: Int) {
        (self.height, self.width, self.channels) = (height, width, channels)
        row = width + 2
        // Room for the two zeros, or for a vector behind the last row.
        let needed = max(height * row, (height - 1) * row + (width + 15) / 16 * 16)
        plane = (needed + 15) / 16 * 16
        memory = AlignedMemory(count: channels * plane + 32)
    }

    func filled(_ numbers: inout RandomNumbers) -> PlanarMapExample {
        for channel in 0..<channels {
            for y in 0..<height {
                for (x, value) in numbers.next(width).enumerated() { start[channel * plane + y * row + x] = value }
            }
        }
        return self
    }

    subscript(channel: Int, y: Int, x: Int) -> Float { start[channel * plane + y * row + x] }
    /// One value; zero outside the map.
    func orZero(_ channel: Int, _ y: Int, _ x: Int) -> Float {
        0..<height ~= y && 0..<width ~= x ? self[channel, y, x] : 0
    }

    /// The largest difference from the result of plain loops.
    func error(expected: (Int, Int, Int) -> Float) -> Float {
        var worst: Float = 0
        for channel in 0..<channels {
            for y in 0..<height {
                for x in 0..<width {
                    let difference = (self[channel, y, x] - expected(channel, y, x)).magnitude
                    worst = difference.isNaN ? .infinity : max(worst, difference)
                }
            }
        }
        return worst
    }
}
