import CKernels

/// Part of a map: two rows between two columns.
package struct MapArea: Equatable, Sendable {
    /// The two rows.
    package let rows: Range<Int>
    /// The columns.
    package let columns: Range<Int>

    /// - Precondition: the bounds are even, because upsampling makes two rows and columns at once.
    package init(firstRow: Int, columns: Range<Int>) {
        precondition(
            firstRow % 2 == 0 && columns.lowerBound % 2 == 0 && columns.upperBound % 2 == 0,
            "an area begins and ends between pairs of pixels")
        rows = firstRow..<firstRow + 2
        self.columns = columns
    }
}

extension InterleavedStep {
    /// Computes part of the step's output. Only for groups with ``InterleavedPlan/Group/worksOnParts``.
    ///
    /// - Parameter width: the map's width in pixels. The caller has checked that the area lies within the map.
    func run(_ kernels: ck_kernels, in area: MapArea, width: Int, _ member: ThreadTeam.Member) {
        switch self {
        case .convolution(var arguments):
            arguments.restrict(to: area, width: width)
            arguments.input += area.start(width) * arguments.input_pixel_stride
            arguments.input_row_stride = width * arguments.input_pixel_stride
            kernels.convolve(&arguments)
        case .block(let block):
            block.inMemory(of: member).run(kernels, in: area, width: width)
        case .double(var arguments):
            (arguments.first_row, arguments.last_row) = (Int32(area.rows.lowerBound), Int32(area.rows.upperBound))
            // Each input column makes two output columns.
            arguments.first_column = Int32(area.columns.lowerBound / 2)
            arguments.last_column = Int32(area.columns.upperBound / 2)
            kernels.double_and_add(&arguments)
        case .add, .maxPool, .sigmoid:
            preconditionFailure("the planner computes this step whole")
        }
    }
}

extension InterleavedBlock {
    /// Computes part of the output of a block without expansion.
    func run(_ kernels: ck_kernels, in area: MapArea, width: Int) {
        guard var project else { preconditionFailure("the planner computes a block without projection whole") }
        var depthwise = depthwise
        let kernel = Int(depthwise.kernel), firstColumn = area.columns.lowerBound - padLeft
        let lastColumn = firstColumn + area.columns.count + kernel - 1
        let inside = max(0, firstColumn)..<min(width, lastColumn)
        let firstRow = area.rows.lowerBound - Int(depthwise.pad_top)
        for row in max(0, firstRow)..<min(Int(depthwise.input_height), firstRow + area.rows.count + kernel - 1) {
            let slot = row % Int(depthwise.ring_rows)
            clear(pixels: 0..<inside.lowerBound - firstColumn, slots: slot..<slot + 1, kernels)
            kernels.split_row(
                source + row * sourceRow + inside.lowerBound * pixel, pixel, Int32(inside.count),
                depthwise.vectors,
                ring + slot * depthwise.ring_stride + (inside.lowerBound - firstColumn) * vectorBytes,
                depthwise.ring_vector_stride)
            clear(
                pixels: inside.upperBound - firstColumn..<lastColumn - firstColumn, slots: slot..<slot + 1, kernels)
        }
        depthwise.first_row = Int32(area.rows.lowerBound)
        depthwise.rows = Int32(area.rows.count)
        depthwise.width = Int32(area.columns.count)
        kernels.depthwise(&depthwise)
        project.restrict(to: area, width: width)
        project.input_row_stride = area.columns.count * pixel
        kernels.convolve(&project)
    }
}

extension MapArea {
    /// Index of the first pixel in a map of the given width.
    fileprivate func start(_ width: Int) -> Int { rows.lowerBound * width + columns.lowerBound }
}

extension ck_convolution {
    /// Restricts the output to an area.
    fileprivate mutating func restrict(to area: MapArea, width: Int) {
        let start = area.start(width) * output_pixel_stride
        output += start
        residual = residual.map { $0 + start }
        output_row_stride = width * output_pixel_stride
        residual_row_stride = output_row_stride
        rows = Int32(area.rows.count)
        pixels = Int32(area.columns.count)
    }
}
