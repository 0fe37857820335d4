/// How a `PlanarBlock` (sparse engine) is cut into strips of rows and groups of channels.
struct PlanarSizes {
    let input, output: PlanarShape
    let strips: [PlanarBlock.Strip]
    let groups: [Range<Int>]
    /// Floats between the planes of a strip's tiles.
    let widePlane, filteredPlane: Int

    init(input: MapShape, output: MapShape, window: Graph.Window, isTiled: Bool) {
        let (source, target) = (PlanarShape(input), PlanarShape(output))
        (self.input, self.output) = (source, target)
        let rows = Self.stripRows(source, target)
        strips = stride(from: 0, to: output.height, by: rows).map { first in
            let end = min(first + rows, output.height)
            let needed =
                first * window.stride - window.padTop..<(end - 1) * window.stride - window.padTop + window.height
            let inputRows = needed.clamped(to: 0..<input.height)
            return PlanarBlock.Strip(
                rows: first..<end, inputRows: inputRows,
                lanes: first * target.row..<(end * target.row).roundedUp(to: PlanarShape.line),
                inputLanes: inputRows.lowerBound * source.row / PlanarShape.line
                    * PlanarShape.line..<(inputRows.upperBound * source.row).roundedUp(to: PlanarShape.line))
        }
        groups = (0..<input.channels).split(most: isTiled ? Self.groupChannels(source) : Self.maximumInputs)
        widePlane = PlanarShape.plane(lanes: strips.map(\.inputLanes.count).max() ?? 0)
        let spill = (min(rows, output.height) - 1) * target.row + output.width.roundedUp(to: PlanarShape.line)
        filteredPlane = PlanarShape.plane(lanes: max(strips.map(\.lanes.count).max() ?? 0, spill))
    }

    /// Most inputs in a group of a pointwise convolution. Eight vectors of that many planes fit the L1 cache.
    static let maximumInputs = 96

    /// Channels whose tiles fit the L2 cache. On 56x56 and 112x112 maps, half or twice as many made no difference above
    /// 2 %. The other numbers come from a prototype.
    private static func groupChannels(_ shape: PlanarShape) -> Int {
        shape.lanes <= 256 ? 96 : shape.lanes <= 1024 ? 48 : 72
    }

    /// All rows of a small map. For a large map, a number that lets each strip begin at a cache line. The depthwise
    /// kernels work best with eight rows; sixteen were no faster.
    private static func stripRows(_ input: PlanarShape, _ output: PlanarShape) -> Int {
        guard input.lanes > 1024 else { return output.height }
        return output.row % 2 == 0 ? 8 : 16
    }
}

extension Range<Int> {
    /// Splits the range into parts of nearly equal size, none larger than `most`.
    func split(most: Int) -> [Range<Int>] {
        let parts = (count + most - 1) / most
        return (0..<parts).map { lowerBound + $0 * count / parts..<lowerBound + ($0 + 1) * count / parts }
    }
}
