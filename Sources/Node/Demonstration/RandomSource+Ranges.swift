import NeuralNet

extension RandomSource {
    /// A whole number of a range.
    mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + index(below: range.count) }

    /// Seconds of a range, to the millisecond, as everything is stored.
    mutating func seconds(in range: ClosedRange<Float>) -> Double {
        (Double(uniform(in: range)) * 1000).rounded() / 1000
    }

    /// A number near another one.
    ///
    /// - Parameter deviation: the standard deviation.
    mutating func near(_ number: Double, by deviation: Double) -> Double { number + deviation * Double(normal()) }
}
