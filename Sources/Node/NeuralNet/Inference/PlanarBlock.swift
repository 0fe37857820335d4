import CKernels

/// A block of the sparse engine: a depthwise convolution with the pointwise ones around it, computed in strips of rows
/// and groups of channels.
///
/// The expansion writes a tile for one group. The projection adds the group's contribution to the output.
struct PlanarBlock {
    /// What the depthwise convolution reads.
    enum Source {
        /// A map, read in place.
        case map(PlanarMap)
        case pointwise(ck_sparse)
        case picture(ck_picture_convolution)
    }

    /// A group of the channels between expansion and projection.
    struct Group {
        let channels: Range<Int>
        var expand: SparseWeights?
        var project: SparseWeights?
    }

    /// Some output rows, the input rows they need, and the lanes of both.
    struct Strip {
        let rows, inputRows, lanes, inputLanes: Range<Int>
    }

    var source: Source
    /// Arguments for the first channel. `run` fills in rows and pointers.
    var depthwise: ck_planar_depthwise
    /// Floats between the quarters of the channels that form 2x2 pixels; `nil` without depth-to-space.
    var quarter: Int?
    /// Arguments for the whole map; `nil` when the depthwise result is the output.
    var project: ck_sparse?
    var output: PlanarMap
    var outputShape: PlanarShape
    var groups: [Group]
    var strips: [Strip]
    /// Floats between the planes of a strip's tiles.
    var widePlane, filteredPlane: Int

    func run(_ kernels: ck_kernels, _ scratch: PlanarScratch) {
        if case .map(let map) = source {
            map.sealGutter(before: 0, channels: 0..<Int(depthwise.channels) * (quarter == nil ? 1 : 4))
        }
        for index in groups.indices {
            var previous: Strip?
            for strip in strips {
                run(strip, after: previous, group: index, kernels, scratch)
                previous = strip
            }
        }
        if project == nil { output.clearGutters(outputShape, channels: 0..<Int(depthwise.channels)) }
    }

    private func run(
        _ strip: Strip, after previous: Strip?, group index: Int, _ kernels: ck_kernels, _ scratch: PlanarScratch
    ) {
        let group = groups[index]
        var window = depthwise
        window.channels = Int32(group.channels.count)
        window.weights += group.channels.lowerBound * Int(depthwise.kernel * depthwise.kernel)
        window.bias += group.channels.lowerBound
        window.first_row = Int32(strip.rows.lowerBound)
        window.rows = Int32(strip.rows.count)
        let input = widen(strip, after: previous, group, kernels, scratch)
        window.input = UnsafePointer(input.start)
        window.input_plane = input.plane
        if case .map = source {
            window.input_first_row = 0
        } else {
            window.input_first_row = Int32(strip.inputRows.lowerBound)
        }
        if project == nil {
            window.output = output.start + group.channels.lowerBound * output.plane + strip.lanes.lowerBound
            window.output_plane = output.plane
        } else {
            window.output = scratch.filtered
            window.output_plane = filteredPlane
        }
        if let quarter {
            kernels.spread_depthwise(&window, quarter)
        } else {
            kernels.planar_depthwise(&window)
        }
        narrow(strip, index, kernels, scratch)
    }

    /// Makes the depthwise convolution's input. Returns the position of the strip's first input row, or of the map's.
    private func widen(
        _ strip: Strip, after previous: Strip?, _ group: Group, _ kernels: ck_kernels, _ scratch: PlanarScratch
    ) -> PlanarMap {
        if case .map(let map) = source {
            return PlanarMap(start: map.start + group.channels.lowerBound * map.plane, plane: map.plane)
        }
        let offset = strip.inputRows.lowerBound * depthwise.input_row - strip.inputLanes.lowerBound
        let rows = PlanarMap(start: scratch.wide + offset, plane: widePlane)
        let ready = keepRows(of: previous, for: strip, at: rows, channels: group.channels.count, scratch)
        fill(rows, of: strip, from: ready, group, kernels, scratch)
        rows.sealGutter(before: 0, channels: 0..<group.channels.count)
        return rows
    }

    /// Moves rows that the previous strip also needed up in the tile. Returns the first row that is still missing.
    private func keepRows(
        of previous: Strip?, for strip: Strip, at rows: PlanarMap, channels: Int, _ scratch: PlanarScratch
    ) -> Int {
        let first = strip.inputRows.lowerBound, row = depthwise.input_row
        guard let previous, previous.inputRows.contains(first) else { return first }
        let ready = previous.inputRows.upperBound
        let old = scratch.wide + first * row - previous.inputLanes.lowerBound
        for channel in 0..<channels {
            let place = channel * rows.plane
            (rows.start + place).update(from: old + place, count: (ready - first) * row)
        }
        return ready
    }

    /// Computes the tile's rows from `ready` on.
    private func fill(
        _ rows: PlanarMap, of strip: Strip, from ready: Int, _ group: Group, _ kernels: ck_kernels,
        _ scratch: PlanarScratch
    ) {
        let row = depthwise.input_row
        switch source {
        case .map: break
        case .pointwise(var arguments):
            let from = max(strip.inputLanes.lowerBound, ready * row / PlanarShape.line * PlanarShape.line)
            arguments.input += from
            arguments.low = arguments.low.map { $0 + from }
            arguments.high = arguments.high.map { $0 + from }
            arguments.bias = arguments.bias.map { $0 + group.channels.lowerBound }
            arguments.output = scratch.wide + from - strip.inputLanes.lowerBound
            arguments.output_plane = rows.plane
            arguments.lanes = strip.inputLanes.upperBound - from
            group.expand?.attach(to: &arguments)
            kernels.sparse(&arguments)
        case .picture(var arguments):
            arguments.first_row = Int32(ready)
            arguments.rows = Int32(strip.inputRows.upperBound - ready)
            arguments.outputs = Int32(group.channels.count)
            arguments.weights += group.channels.lowerBound * 27
            arguments.bias += group.channels.lowerBound
            arguments.output = rows.start + (ready - strip.inputRows.lowerBound) * row
            arguments.output_plane = rows.plane
            kernels.convolve_picture(&arguments)
        }
    }

    /// Adds the group's contribution to the output. The first group adds the bias, the last one applies the activation.
    private func narrow(_ strip: Strip, _ index: Int, _ kernels: ck_kernels, _ scratch: PlanarScratch) {
        guard var arguments = project else { return }
        let from = strip.lanes.lowerBound
        arguments.input = UnsafePointer(scratch.filtered)
        arguments.output += from
        arguments.lanes = strip.lanes.count
        arguments.addend = arguments.addend.map { $0 + from }
        arguments.low = arguments.low.map { $0 + from }
        arguments.high = arguments.high.map { $0 + from }
        if index > 0 { (arguments.bias, arguments.addend) = (nil, nil) }
        if index + 1 < groups.count { (arguments.low, arguments.high) = (nil, nil) }
        groups[index].project?.attach(to: &arguments)
        kernels.sparse(&arguments)
    }
}
