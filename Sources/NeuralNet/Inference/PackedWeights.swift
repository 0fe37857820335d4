import CKernels

/// Weights of a convolution in the order the kernels read them: panels of a few vectors of output channels, each with
/// all its inputs.
package struct PackedWeights {
    package let memory: AlignedMemory

    /// - Parameters:
    ///   - weights: `[outputs, inputs]`.
    ///   - half: keep 16-bit floats, two to a float's place.
    package init(_ weights: [Float], outputs: Int, half: Bool, kernels: ck_kernels) {
        let lanes = Int(kernels.lanes), inputs = weights.count / outputs
        let vectors = outputs.roundedUp(to: lanes) / lanes
        var packed = [Float](repeating: 0, count: inputs * vectors * lanes)
        var first = 0, position = 0
        while first < vectors {
            let panel = Int(ck_panel_vectors(kernels.level, Int32(vectors - first)))
            for input in 0..<inputs {
                for output in first * lanes..<(first + panel) * lanes {
                    if output < outputs { packed[position] = weights[output * inputs + input] }
                    position += 1
                }
            }
            first += panel
        }
        guard half else {
            memory = AlignedMemory(packed)
            return
        }
        memory = AlignedMemory(count: (packed.count + 1) / 2)
        // Two 16-bit floats fit where one 32-bit float was allocated.
        UnsafeMutableRawPointer(memory.start).withMemoryRebound(to: Float16.self, capacity: packed.count) { halves in
            for (index, value) in packed.enumerated() { halves[index] = Float16(value) }
        }
    }
}

extension [Float] {
    /// Zeros appended up to a count.
    func padded(to count: Int) -> [Float] { self + [Float](repeating: 0, count: count - self.count) }

    /// Zeros appended to every row.
    func paddedRows(of width: Int, to count: Int) -> [Float] {
        stride(from: 0, to: self.count, by: width).flatMap { Array(self[$0..<$0 + width]).padded(to: count) }
    }
}
