import CKernels

/// How the dense engine stores numbers at a level: as floats, or as 16-bit floats.
extension ck_kernels {
    /// Whether maps are stored as 16-bit floats.
    var hasHalfElements: Bool { element_bytes == 2 }

    /// A number of channels, rounded up to whole vectors.
    func wholeVectors(_ channels: Int) -> Int { channels.roundedUp(to: Int(lanes)) }

    /// Vectors per pixel of a map.
    func vectors(ofPixel shape: MapShape) -> Int { wholeVectors(shape.channels) / Int(lanes) }

    /// Bytes per pixel of a map.
    func bytes(ofPixel shape: MapShape) -> Int {
        wholeVectors(shape.channels) * (storesFloats(shape) ? 4 : Int(element_bytes))
    }

    /// Bytes of a map.
    func bytes(of shape: MapShape) -> Int { shape.pixels * bytes(ofPixel: shape) }

    /// Whether a map is stored as floats. At every level, maps of one pixel are: their numbers are outputs, made of long sums.
    func storesFloats(_ shape: MapShape) -> Bool { !hasHalfElements || shape.pixels == 1 }

    /// Whether the engine can run a layer with the elements of this level. Among 16-bit floats, maps of one pixel are floats:
    /// a convolution writes them and a logistic function reads them, but nothing else does.
    func supportPrecision(of node: Graph.Node, in graph: Graph) -> Bool {
        guard hasHalfElements else { return true }
        let writesFloats = storesFloats(graph.shape(node.output))
        let readsFloats = node.inputs.contains { $0 != graph.input && storesFloats(graph.shape($0)) }
        switch node.operation {
        case .convolution: return !readsFloats && (!writesFloats || node.inputs.count == 1)
        case .sigmoid: return readsFloats && writesFloats
        default: return !readsFloats && !writesFloats
        }
    }

    /// Writes numbers as elements of the level.
    func write(_ values: some Collection<Float>, to memory: UnsafeMutableRawPointer) {
        let values = Array(values)
        if hasHalfElements {
            narrow_floats(values, values.count, memory.assumingMemoryBound(to: UInt16.self))
        } else {
            memory.copyMemory(from: values, byteCount: values.count * 4)
        }
    }

    /// A copy of numbers as elements of the level.
    func memory(_ values: [Float]) -> AlignedMemory {
        let memory = AlignedMemory(bytes: values.count * Int(element_bytes))
        write(values, to: memory.start)
        return memory
    }
}
