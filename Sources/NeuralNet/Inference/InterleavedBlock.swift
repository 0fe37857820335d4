import CKernels

/// A block of the dense engine: a depthwise convolution with the pointwise ones around it, computed in strips of rows.
///
/// The expansion writes into a ring buffer of rows, and the projection reads one strip. The wide maps in between
/// therefore never leave the cache.
struct InterleavedBlock {
    /// Fills one row of the ring. Its output points to the ring's first pixel. `nil` when rows are copied.
    var expand: ck_convolution?
    /// Rows to copy when there is no expansion: the map, and bytes per row.
    var source: UnsafeRawPointer
    var sourceRow: Int
    var depthwise: ck_depthwise
    /// The ring's memory, in the order of `ck_depthwise`; its rows begin with the padding. Every team member has its own
    /// ring and strip. The distances from one member's memory to the next are in bytes.
    var ring: UnsafeMutableRawPointer
    var ringDistance: Int
    var stripDistance: Int
    /// Bytes of a vector of channels.
    var vectorBytes: Int
    var padLeft: Int
    /// Pixels of padding after each row.
    var padRight: Int
    var inputWidth: Int
    /// Reads a strip of the depthwise result. `nil` when that result is the block's output.
    var project: ck_convolution?
    /// Bytes per output row.
    var outputRow: Int
    var outputHeight: Int
    /// Output rows in a strip.
    var stripRows: Int

    /// Bytes per pixel.
    var pixel: Int { depthwise.pixel }

    /// Runs one member's part: rows of a large map, or channels of a small one, which is a single strip.
    ///
    /// Two members both compute the rows at their border. On a small map that would be most rows.
    func run(_ kernels: ck_kernels, _ member: ThreadTeam.Member) {
        if stripRows >= outputHeight {
            runChannels(kernels, member)
        } else {
            let rows = member.part(of: outputHeight, step: stripRows)
            if !rows.isEmpty { inMemory(of: member).run(kernels, rows: rows) }
        }
    }

    /// The block with one member's own ring and strip.
    func inMemory(of member: ThreadTeam.Member) -> InterleavedBlock {
        var block = self
        block.ring += member.index * ringDistance
        block.depthwise.ring += member.index * ringDistance
        block.expand?.output += member.index * ringDistance
        if block.project != nil {
            block.depthwise.output += member.index * stripDistance
            block.project?.input += member.index * stripDistance
        }
        return block
    }

    private func run(_ kernels: ck_kernels, rows: Range<Int>) {
        clearPadding(slots: 0..<Int(depthwise.ring_rows), kernels)
        let stride = Int(depthwise.stride)
        var ready = max(0, rows.lowerBound * stride - Int(depthwise.pad_top))
        for first in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: stripRows) {
            let count = min(stripRows, rows.upperBound - first)
            let needed = inputRows(before: first + count)
            fill(from: ready, to: needed, kernels)
            ready = max(ready, needed)
            var depthwise = depthwise
            depthwise.first_row = Int32(first)
            depthwise.rows = Int32(count)
            if var project {
                kernels.depthwise(&depthwise)
                project.pixels = Int32(count) * depthwise.width
                project.output += first * outputRow
                project.residual = project.residual.map { $0 + first * outputRow }
                kernels.convolve(&project)
            } else {
                depthwise.output += first * outputRow
                kernels.depthwise(&depthwise)
            }
        }
    }

    /// Runs all rows at once. Each member takes some of the middle channels, then some of the output channels.
    private func runChannels(_ kernels: ck_kernels, _ member: ThreadTeam.Member) {
        let needed = inputRows(before: outputHeight)
        clearPadding(slots: member.part(of: Int(depthwise.ring_rows)), kernels)
        var depthwise = depthwise
        depthwise.first_row = 0
        depthwise.rows = Int32(outputHeight)
        var channels = member.part(of: Int(depthwise.vectors))
        if let expand {
            channels = expand.panels(of: member, kernels)
            var block = self
            block.expand?.takeOutputs(channels, kernels)
            if !channels.isEmpty { block.fill(from: 0, to: needed, kernels) }
        } else {
            let rows = member.part(of: needed)
            fill(from: rows.lowerBound, to: rows.upperBound, kernels)
        }
        member.meet()
        depthwise.takeChannels(channels, kernels)
        kernels.depthwise(&depthwise)
        guard var project else { return }
        member.meet()
        project.pixels = Int32(outputHeight) * depthwise.width
        project.takeOutputs(project.panels(of: member, kernels), kernels)
        kernels.convolve(&project)
    }

    /// Number of input rows that the output rows before `row` need.
    private func inputRows(before row: Int) -> Int {
        let last = (row - 1) * Int(depthwise.stride) - Int(depthwise.pad_top) + Int(depthwise.kernel)
        return min(Int(depthwise.input_height), last)
    }

    /// Writes input rows to their slots in the ring.
    private func fill(from first: Int, to end: Int, _ kernels: ck_kernels) {
        let ringRows = Int(depthwise.ring_rows), ringStride = depthwise.ring_stride
        var row = first
        while row < end {
            let slot = row % ringRows
            let count = min(end - row, ringRows - slot)
            if var expand {
                expand.input += row * expand.input_row_stride
                expand.output += slot * ringStride + padLeft * vectorBytes
                expand.rows = Int32(count)
                kernels.convolve(&expand)
            } else {
                let target = ring + slot * ringStride + padLeft * vectorBytes
                for index in 0..<count {
                    kernels.split_row(
                        source + (row + index) * sourceRow, Int32(inputWidth), depthwise.vectors,
                        target + index * ringStride, depthwise.ring_vector_stride)
                }
            }
            row += count
        }
    }

    /// Zeroes the padding of the ring's rows, because other blocks used the same memory before.
    private func clearPadding(slots: Range<Int>, _ kernels: ck_kernels) {
        clear(pixels: 0..<padLeft, slots: slots, kernels)
        clear(pixels: padLeft + inputWidth..<padLeft + inputWidth + padRight, slots: slots, kernels)
    }

    /// Zeroes some pixels of rows of the ring.
    func clear(pixels: Range<Int>, slots: Range<Int>, _ kernels: ck_kernels) {
        kernels.clear_pixels(
            ring + slots.lowerBound * depthwise.ring_stride + pixels.lowerBound * vectorBytes, Int32(pixels.count),
            Int32(slots.count), depthwise.ring_stride, depthwise.vectors, depthwise.ring_vector_stride)
    }
}

extension ck_depthwise {
    /// Restricts the computation to some channels.
    fileprivate mutating func takeChannels(_ range: Range<Int>, _ kernels: ck_kernels) {
        let first = range.lowerBound * Int(kernels.lanes), bytes = first * Int(kernels.element_bytes)
        ring += range.lowerBound * ring_vector_stride
        weights += bytes * Int(kernel * kernel)
        bias += first
        output += bytes
        vectors = Int32(range.count)
    }
}
