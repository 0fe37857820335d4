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
        var ready = max(0, rows.lowerBound * Int(depthwise.stride) - Int(depthwise.pad_top))
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: stripRows) {
            let strip = first..<min(first + stripRows, rows.upperBound)
            filter(strip, from: ready, kernels)
            ready = max(ready, inputRows(before: strip.upperBound))
            if var project = project(of: strip) { kernels.convolve(&project) }
        }
    }

    /// Runs all rows at once. Each member takes some of the middle channels, whose part of the ring it fills for itself, then
    /// some of the output.
    private func runChannels(_ kernels: ck_kernels, _ member: ThreadTeam.Member) {
        let channels = expand?.panels(of: member, kernels) ?? member.part(of: Int(depthwise.vectors))
        let rows = 0..<outputHeight
        if !channels.isEmpty {
            let own = taking(channels, kernels)
            own.clearPadding(slots: 0..<Int(depthwise.ring_rows), kernels)
            own.filter(rows, from: 0, kernels)
        }
        guard let project = project(of: rows) else { return }
        member.meet()
        for var part in project.parts(of: member, kernels) { kernels.convolve(&part) }
    }

    /// The block with some of its middle channels, without the projection.
    private func taking(_ channels: Range<Int>, _ kernels: ck_kernels) -> InterleavedBlock {
        var block = self
        block.ring += channels.lowerBound * depthwise.ring_vector_stride
        block.source += channels.lowerBound * vectorBytes
        block.expand?.takeOutputs(channels, kernels)
        block.depthwise.takeChannels(channels, kernels)
        return block
    }

    /// Fills the ring from the input row `ready` on and computes some rows of the depthwise result.
    private func filter(_ rows: Range<Int>, from ready: Int, _ kernels: ck_kernels) {
        fill(from: ready, to: inputRows(before: rows.upperBound), kernels)
        var depthwise = depthwise
        depthwise.first_row = Int32(rows.lowerBound)
        depthwise.rows = Int32(rows.count)
        if project == nil { depthwise.output += rows.lowerBound * outputRow }
        kernels.depthwise(&depthwise)
    }

    /// The projection of a strip of rows.
    private func project(of rows: Range<Int>) -> ck_convolution? {
        guard var project else { return nil }
        project.pixels = Int32(rows.count) * depthwise.width
        project.output += rows.lowerBound * outputRow
        project.residual = project.residual.map { $0 + rows.lowerBound * outputRow }
        return project
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
                        source + (row + index) * sourceRow, pixel, Int32(inputWidth), depthwise.vectors,
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
