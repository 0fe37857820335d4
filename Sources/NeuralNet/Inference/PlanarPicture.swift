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

    /// Writes `[height, width, 3]` bytes as `byte * scale + offset`.
    func write(_ rgb: [UInt8], scale: Float, offset: Float, _ kernels: ck_kernels) {
        rgb.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<height {
                // The caller checked that the picture has `height * width * 3` bytes.
                kernels.split_pixels(
                    base + y * width * 3, Int32(width), padLeft % 2 == 1, scale, offset,
                    memory.start + (padTop + y) * 2 * halfRow + padLeft / 2, halfRow, plane)
            }
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
