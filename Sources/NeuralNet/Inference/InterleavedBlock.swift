import CKernels

/// A depthwise convolution with the pointwise ones around it, over strips of rows: what widens the channels writes
/// into a ring of rows, and what narrows them reads a strip, so that the wide maps never leave the cache.
struct InterleavedBlock {
    /// Fills one row of the ring; its output row stands for the ring's first pixel. `nil` when rows are copied.
    var expand: ck_convolution?
    /// Rows to copy instead: the map, and floats a row.
    var source: UnsafePointer<Float>
    var sourceRow: Int
    var depthwise: ck_depthwise
    /// The ring's memory; its rows begin with the padding. Every member of a team has a ring and a strip of its own,
    /// the distances to the next one's are in floats.
    var ring: UnsafeMutablePointer<Float>
    var ringDistance: Int
    var stripDistance: Int
    var padLeft: Int
    /// Pixels of padding after each row.
    var padRight: Int
    var inputWidth: Int
    /// Reads a strip of the depthwise result; `nil` when that result is the output.
    var project: ck_convolution?
    /// Floats an output row has.
    var outputRow: Int
    var outputHeight: Int
    /// Output rows in a strip.
    var stripRows: Int

    /// Floats a pixel.
    var pixel: Int { depthwise.pixel }

    /// Runs a member's part: rows of a large map; of a small one, which is a single strip, channels.
    ///
    /// Rows at the border between members are computed by both, which on a small map would be most of them.
    func run(_ kernels: ck_kernels, _ member: ThreadTeam.Member) {
        if stripRows >= outputHeight {
            runChannels(kernels, member)
        } else {
            let rows = member.part(of: outputHeight, step: stripRows)
            if !rows.isEmpty { inMemory(of: member).run(kernels, rows: rows) }
        }
    }

    /// The block with a member's own ring and strip.
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
        clearPadding(slots: 0..<Int(depthwise.ring_rows))
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

    /// All rows at once; each member takes some of the channels in the middle, then some of the output's.
    private func runChannels(_ kernels: ck_kernels, _ member: ThreadTeam.Member) {
        let needed = inputRows(before: outputHeight)
        clearPadding(slots: member.part(of: Int(depthwise.ring_rows)))
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
        depthwise.takeChannels(channels, lanes: Int(kernels.lanes))
        kernels.depthwise(&depthwise)
        guard var project else { return }
        member.meet()
        project.pixels = Int32(outputHeight) * depthwise.width
        project.takeOutputs(project.panels(of: member, kernels), kernels)
        kernels.convolve(&project)
    }

    /// How many input rows the output rows before one need.
    private func inputRows(before row: Int) -> Int {
        let last = (row - 1) * Int(depthwise.stride) - Int(depthwise.pad_top) + Int(depthwise.kernel)
        return min(Int(depthwise.input_height), last)
    }

    /// Puts input rows into their places in the ring.
    private func fill(from first: Int, to end: Int, _ kernels: ck_kernels) {
        let ringRows = Int(depthwise.ring_rows), ringStride = depthwise.ring_stride
        var row = first
        while row < end {
            let slot = row % ringRows
            let count = min(end - row, ringRows - slot)
            if var expand {
                expand.input += row * expand.input_row_stride
                expand.output += slot * ringStride + padLeft * pixel
                expand.rows = Int32(count)
                kernels.convolve(&expand)
            } else {
                let target = ring + slot * ringStride + padLeft * pixel
                // A row of the map and one of the ring without its padding have the same size.
                for index in 0..<count {
                    (target + index * ringStride).update(from: source + (row + index) * sourceRow, count: sourceRow)
                }
            }
            row += count
        }
    }

    /// Zeroes the padding of rows in the ring: its memory served other blocks before.
    private func clearPadding(slots: Range<Int>) {
        for slot in slots {
            let row = ring + slot * depthwise.ring_stride
            row.update(repeating: 0, count: padLeft * pixel)
            (row + (padLeft + inputWidth) * pixel).update(repeating: 0, count: padRight * pixel)
        }
    }
}

extension ck_depthwise {
    /// Computes only some channels.
    fileprivate mutating func takeChannels(_ range: Range<Int>, lanes: Int) {
        let first = range.lowerBound * lanes
        ring += first
        weights += first
        bias += first
        output += first
        vectors = Int32(range.count)
    }
}
