import CKernels

/// One step of an `InterleavedNetwork`: kernel arguments whose pointers and sizes are fixed when the model is loaded.
enum InterleavedStep {
    case convolution(ck_convolution)
    case block(InterleavedBlock)
    case double(ck_doubling)
    case add(ElementwiseAddition)
    case maxPool(MapArguments)
    /// Of floats; see `supportPrecision` of the kernels.
    case sigmoid(UnsafeMutableRawPointer, UnsafeMutableRawPointer, count: Int)

    struct ElementwiseAddition {
        let a, b, output: UnsafeMutableRawPointer
        let count: Int
        let low, high: Float
    }

    struct MapArguments {
        let input: UnsafeMutableRawPointer
        let height, width: Int
        /// Vectors per pixel.
        let vectors: Int
        let output: UnsafeMutableRawPointer
    }

    /// Runs one member's part of the step.
    ///
    /// Every pointer points into memory that the network owning the step keeps alive. The planner derived all offsets
    /// from shapes that the graph reader checked. Members write disjoint parts.
    func run(_ kernels: ck_kernels, _ member: ThreadTeam.Member) {
        switch self {
        case .convolution(let arguments):
            guard var part = arguments.part(of: member, kernels) else { return }
            kernels.convolve(&part)
        case .block(let block):
            block.run(kernels, member)
        case .double(var arguments):
            let rows = member.part(of: Int(arguments.last_row))
            (arguments.first_row, arguments.last_row) = (Int32(rows.lowerBound), Int32(rows.upperBound))
            kernels.double_and_add(&arguments)
        case .add(let sum):
            let part = member.part(of: sum.count, step: Int(kernels.lanes))
            let first = part.lowerBound * Int(kernels.element_bytes)
            kernels.add(sum.a + first, sum.b + first, sum.output + first, part.count, sum.low, sum.high)
        case .maxPool, .sigmoid:
            // Too little work to share.
            if member.index == 0 { runWhole(kernels) }
        }
    }

    private func runWhole(_ kernels: ck_kernels) {
        switch self {
        case .maxPool(let map):
            kernels.max_pool(
                map.input, Int32(map.height), Int32(map.width), Int32(map.vectors), map.output)
        case .sigmoid(let input, let output, let count):
            let logits = input.assumingMemoryBound(to: Float.self)
            let results = output.assumingMemoryBound(to: Float.self)
            for index in 0..<count { results[index] = logistic(logits[index]) }
        case .convolution, .block, .double, .add: preconditionFailure("this step is shared")
        }
    }
}

extension ck_convolution {
    /// One member's part: rows of a picture, pixels of a large map, or output channels of a small map, where the
    /// weights are most of the work. `nil` when nothing is left for this member.
    func part(of member: ThreadTeam.Member, _ kernels: ck_kernels) -> ck_convolution? {
        if member.count == 1 { return self }
        var part = self
        if rows > 1 {
            let range = member.part(of: Int(rows)), first = range.lowerBound
            part.input += first * input_row_stride
            part.output += first * output_row_stride
            part.residual = residual.map { $0 + first * residual_row_stride }
            part.rows = Int32(range.count)
        } else if pixels > 64 {
            // A multiple of every tile's height.
            part.takePixels(member.part(of: Int(pixels), step: 48))
        } else {
            part.takeOutputs(panels(of: member, kernels), kernels)
        }
        return part.rows > 0 && part.pixels > 0 && part.vectors > 0 ? part : nil
    }

    /// One member's parts of a single row, as large as the others': panels of weights, and tiles of pixels of a panel that
    /// several members share.
    func parts(of member: ThreadTeam.Member, _ kernels: ck_kernels) -> [ck_convolution] {
        // No level's tiles of three vectors are taller.
        let starts = panelStarts(kernels), tile = 8, tiles = (Int(pixels) + tile - 1) / tile
        return member.rectangles(rows: starts.count - 1, columns: tiles).map { panels, tiles in
            var part = self
            part.takeOutputs(starts[panels.lowerBound]..<starts[panels.upperBound], kernels)
            part.takePixels(tiles.lowerBound * tile..<min(tiles.upperBound * tile, Int(pixels)))
            return part
        }
    }

    /// One member's output channels, as a range of vectors in whole panels of weights.
    func panels(of member: ThreadTeam.Member, _ kernels: ck_kernels) -> Range<Int> {
        let starts = panelStarts(kernels), part = member.part(of: starts.count - 1)
        return starts[part.lowerBound]..<starts[part.upperBound]
    }

    /// The first vector of every panel of weights, and the number of vectors.
    private func panelStarts(_ kernels: ck_kernels) -> [Int] {
        var starts: [Int] = [], first = 0
        while first < Int(vectors) {
            starts.append(first)
            first += Int(ck_panel_vectors(kernels.level, vectors - Int32(first)))
        }
        return starts + [Int(vectors)]
    }

    /// Restricts the computation to some pixels of a single row.
    private mutating func takePixels(_ range: Range<Int>) {
        input += range.lowerBound * input_pixel_stride
        output += range.lowerBound * output_pixel_stride
        residual = residual.map { $0 + range.lowerBound * output_pixel_stride }
        pixels = Int32(range.count)
    }

    /// Restricts the computation to some output channels. A part has the same panels as the whole; see
    /// `ck_panel_vectors`.
    mutating func takeOutputs(_ range: Range<Int>, _ kernels: ck_kernels) {
        let first = range.lowerBound * Int(kernels.lanes)
        weights += first * Int(segments * depth) * (half_weights ? 2 : 4)
        bias += first
        output += range.lowerBound * output_vector_stride
        residual = residual.map { $0 + first * Int(kernels.element_bytes) }
        vectors = Int32(range.count)
    }
}
