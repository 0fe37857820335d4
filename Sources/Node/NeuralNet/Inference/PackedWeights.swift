import CKernels

/// Convolution weights of the dense engine in the order the kernels read them: panels of a few vectors of output
/// channels, each panel with all its inputs.
package struct PackedWeights {
    /// The packed weights.
    package let memory: AlignedMemory

    /// - Parameters:
    ///   - weights: `[outputs, inputs]`.
    ///   - half: store 16-bit floats, two in the space of one 32-bit float.
    package init(_ weights: [Float], outputs: Int, half: Bool, kernels: ck_kernels) {
        let lanes = Int(kernels.lanes), inputs = weights.count / outputs
        let vectors = outputs.roundedUp(to: lanes) / lanes, count = inputs * vectors * lanes
        let packed = AlignedMemory(count: count)
        var first = 0, panelStart = packed.start
        while first < vectors {
            let width = Int(ck_panel_vectors(kernels.level, Int32(vectors - first))) * lanes
            weights.withUnsafeBufferPointer { weights in
                for output in 0..<min(width, outputs - first * lanes) {
                    let row = (first * lanes + output) * inputs
                    // The panel has `inputs` rows of `width` floats each.
                    for input in 0..<inputs { panelStart[input * width + output] = weights[row + input] }
                }
            }
            panelStart += inputs * width
            first += width / lanes
        }
        guard half else {
            memory = packed
            return
        }
        memory = AlignedMemory(count: (count + 1) / 2)
        // Two 16-bit floats fit into each allocated 32-bit float.
        UnsafeMutableRawPointer(memory.start).withMemoryRebound(to: UInt16.self, capacity: count) {
            kernels.narrow_floats(packed.start, count, $0)
        }
    }
}

extension [Float] {
    /// Appends zeros up to a count.
    func padded(to count: Int) -> [Float] { self + [Float](repeating: 0, count: count - self.count) }

    /// Weights of a depthwise convolution, `[taps][channels]`, in the order of its kernels: `[vector][taps][lane]`, with zeros
    /// in the last vector's unused lanes.
    package func byVectors(of lanes: Int, channels: Int) -> [Float] {
        let taps = count / channels, vectors = channels.roundedUp(to: lanes) / lanes
        var sorted = [Float](repeating: 0, count: vectors * taps * lanes)
        for tap in 0..<taps {
            for channel in 0..<channels {
                sorted[(channel / lanes * taps + tap) * lanes + channel % lanes] = self[tap * channels + channel]
            }
        }
        return sorted
    }
}
