import Foundation

/// Filters for signals. Beyond its ends a signal continues with its first and last value.
enum Smoothing {
    /// The median of each value and its neighbours within `reach`.
    static func median(_ line: [Float], reach: Int) -> [Float] {
        guard reach > 0, line.count > 1 else { return line }
        var window = [Float](repeating: 0, count: 2 * reach + 1)
        return line.indices.map { middle in
            for step in -reach...reach { window[step + reach] = line[min(max(middle + step, 0), line.count - 1)] }
            window.sort()
            return window[reach]
        }
    }

    /// A Gaussian filter. The standard deviation is in frames.
    static func bell(_ line: [Float], deviation: Double) -> [Float] {
        let reach = Int((3 * deviation).rounded(.up))
        guard reach > 0, line.count > 1 else { return line }
        var weights = (-reach...reach).map { Float(exp(-0.5 * pow(Double($0) / deviation, 2))) }
        let sum = weights.reduce(0, +)
        for index in weights.indices { weights[index] /= sum }
        return line.indices.map { middle in
            var value: Float = 0
            for step in -reach...reach {
                value += weights[step + reach] * line[min(max(middle + step, 0), line.count - 1)]
            }
            return value
        }
    }

    /// The range of a whole signal: the 95th minus the 5th percentile.
    static func swing(_ line: some Collection<Float>) -> Float {
        let sorted = line.sorted()
        guard let last = sorted.indices.last else { return 0 }
        return sorted[Int(0.95 * Double(last))] - sorted[Int(0.05 * Double(last))]
    }

    /// The local range of a signal: the 95th minus the 5th percentile of the `width` values around each frame.
    static func swing(_ line: [Float], width: Int) -> [Float] {
        guard !line.isEmpty else { return [] }
        let width = min(width, line.count)
        // The range changes slowly, so it is computed only every few frames.
        let step = max(1, width / 12)
        var swings = [Float](repeating: 0, count: line.count)
        for begin in stride(from: 0, to: line.count, by: step) {
            let first = min(max(0, begin + step / 2 - width / 2), line.count - width)
            let swing = swing(line[first..<first + width])
            for index in begin..<min(begin + step, line.count) { swings[index] = swing }
        }
        return swings
    }
}
