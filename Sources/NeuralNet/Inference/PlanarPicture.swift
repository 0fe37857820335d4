import CKernels

/// A picture as the first layer of a channel-planar network reads it: a plane for each channel, and in every row the
/// even pixels apart from the odd ones. Zeros stand where the padding is.
struct PlanarPicture {
    let height, width: Int
    /// Zero rows and columns before the picture.
    let padTop, padLeft: Int
    /// Floats that half of a row's pixels take, and that a channel takes.
    let halfRow, plane: Int
    let memory: AlignedMemory

    init(_ shape: MapShape, _ window: Graph.Window, output: MapShape) {
        (height, width) = (shape.height, shape.width)
        (padTop, padLeft) = (window.padTop, window.padLeft)
        // Every window's pixels, and a vector more.
        halfRow = (max(padLeft + width, 2 * output.width + 2) / 2 + PlanarShape.line).roundedUp(to: PlanarShape.line)
        plane = max(padTop + height, 2 * output.height + 1) * 2 * halfRow
        memory = AlignedMemory(count: 3 * plane)
    }

    /// `[height, width, 3]` bytes.
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

    /// `[height, width, 3]` floats.
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
