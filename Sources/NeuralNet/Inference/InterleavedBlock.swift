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
    /// The ring's memory; its rows begin with the padding.
    var ring: UnsafeMutablePointer<Float>
    var padLeft: Int
    /// Pixels of padding after each row.
    var padRight: Int
    var inputWidth: Int
    /// Floats a pixel.
    var pixel: Int
    /// Reads a strip of the depthwise result; `nil` when that result is the output.
    var project: ck_convolution?
    /// Floats an output row has.
    var outputRow: Int
    var outputHeight: Int
    /// Output rows in a strip.
    var stripRows: Int

    func run(_ kernels: ck_kernels) {
        clearPadding()
        let kernel = Int(depthwise.kernel), stride = Int(depthwise.stride), padTop = Int(depthwise.pad_top)
        let inputHeight = Int(depthwise.input_height)
        var depthwise = depthwise
        var ready = 0
        for first in Swift.stride(from: 0, to: outputHeight, by: stripRows) {
            let rows = min(stripRows, outputHeight - first)
            let needed = min(inputHeight, (first + rows - 1) * stride - padTop + kernel)
            fill(from: ready, to: needed, kernels)
            ready = max(ready, needed)
            depthwise.first_row = Int32(first)
            depthwise.rows = Int32(rows)
            if var project {
                kernels.depthwise(&depthwise)
                project.pixels = Int32(rows) * depthwise.width
                project.output += first * outputRow
                project.residual = project.residual.map { $0 + first * outputRow }
                kernels.convolve(&project)
            } else {
                kernels.depthwise(&depthwise)
                depthwise.output += rows * outputRow
            }
        }
    }

    /// Puts input rows into their places in the ring.
    private func fill(from first: Int, to end: Int, _ kernels: ck_kernels) {
        let ringRows = Int(depthwise.ring_rows), ringStride = depthwise.ring_stride
        var row = first
        while row < end {
            let slot = row % ringRows
            let count = min(end - row, ringRows - slot)
            let target = ring + slot * ringStride + padLeft * pixel
            if var expand {
                expand.input += row * expand.input_row_stride
                expand.output = target
                expand.rows = Int32(count)
                kernels.convolve(&expand)
            } else {
                // A row of the map and one of the ring without its padding have the same size.
                for index in 0..<count {
                    (target + index * ringStride).update(from: source + (row + index) * sourceRow, count: sourceRow)
                }
            }
            row += count
        }
    }

    /// Zeroes the padding of every row: the ring's memory served other blocks before.
    private func clearPadding() {
        for slot in 0..<Int(depthwise.ring_rows) {
            let row = ring + slot * depthwise.ring_stride
            row.update(repeating: 0, count: padLeft * pixel)
            (row + (padLeft + inputWidth) * pixel).update(repeating: 0, count: padRight * pixel)
        }
    }
}
