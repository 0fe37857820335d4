import CKernels

/// The input picture in the layout that the first layer of a `PlanarNetwork` reads: one plane per channel, and within
/// each row the even pixels before the odd ones. Padding is zero.
struct PlanarPicture {
    let height, width: Int
    /// Zero rows and columns before the picture.
    let padTop, padLeft: Int
    /// Floats per half row, and per channel.
    let halfRow, plane: Int
    let memory: AlignedMemory

    init(_ shape: MapShape, _ window: Graph.Window, output: MapShape) {
        (height, width) = (shape.height, shape.width)
        (padTop, padLeft) = (window.padTop, window.padLeft)
        // All pixels of all windows, plus one vector.
        halfRow = (max(padLeft + width, 2 * output.width + 2) / 2 + PlanarShape.line).roundedUp(to: PlanarShape.line)
        plane = max(padTop + height, 2 * output.height + 1) * 2 * halfRow
        memory = AlignedMemory(count: 3 * plane)
    }

    /// Writes some rows of `[height, width, 3]` bytes as `byte * scale + offset`.
    ///
    /// - Precondition: `rgb` points to the first row of a picture of `height * width * 3` bytes.
    func write(
        _ rgb: UnsafePointer<UInt8>, rows: Range<Int>, scale: Float, offset: Float, _ kernels: ck_kernels
    ) {
        for y in rows {
            kernels.split_pixels(
                rgb + y * width * 3, Int32(width), padLeft % 2 == 1, scale, offset,
                memory.start + (padTop + y) * 2 * halfRow + padLeft / 2, halfRow, plane)
        }
    }

    /// Writes `[height, width, 3]` floats.
    func write(_ values: [Float]) {
        for y in 0..<height {
            for x in 0..<width {
                let column = padLeft + x
                let place = (2 * (padTop + y) + column % 2) * halfRow + column / 2
                for channel in 0..<3 { memory.start[channel * plane + place] = values[(y * width + x) * 3 + channel] }
            }
        }
    }
}
