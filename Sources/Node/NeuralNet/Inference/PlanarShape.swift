/// Memory layout of a channel-planar map. `ckernels_planar.h` gives the reasons.
struct PlanarShape: Hashable {
    let height, width: Int

    /// Zeros between two rows. They pad the right edge of one row and the left edge of the next.
    static let gutter = 2
    /// Floats in a cache line. Planes begin at a cache line.
    static let line = 16

    init(_ shape: MapShape) { (height, width) = (shape.height, shape.width) }

    /// Floats from one row to the next.
    var row: Int { width + Self.gutter }
    /// Floats per plane, gutters included.
    var lanes: Int { height * row }
    /// Floats from one plane to the next, with room for a whole vector at the last row's last pixel.
    var plane: Int { Self.plane(lanes: max(lanes, (height - 1) * row + width.roundedUp(to: Self.line))) }

    /// Rounds up to an odd number of cache lines. The same pixel of all planes then spreads over the whole L1 cache.
    static func plane(lanes: Int) -> Int {
        let size = lanes.roundedUp(to: line)
        return size / line % 2 == 1 ? size : size + line
    }
}

/// A channel-planar map, or a tile of one, in memory that its network owns.
struct PlanarMap {
    let start: UnsafeMutablePointer<Float>
    /// Floats from one plane to the next.
    let plane: Int

    /// Zeroes the gutter before a lane in every plane, because other values used the memory before.
    func sealGutter(before lane: Int, channels: Range<Int>) {
        for channel in channels {
            let gutter = start + channel * plane + lane - PlanarShape.gutter
            (gutter[0], gutter[1]) = (0, 0)
        }
    }

    /// Zeroes the gutters after all rows.
    func clearGutters(_ shape: PlanarShape, channels: Range<Int>) {
        for channel in channels {
            for y in 0..<shape.height {
                let gutter = start + channel * plane + y * shape.row + shape.width
                (gutter[0], gutter[1]) = (0, 0)
            }
        }
    }
}

/// Memory between the layers of a block. Each concurrent run needs its own.
struct PlanarScratch {
    /// The tile between expansion and depthwise convolution, and the one between depthwise convolution and projection.
    let wide, filtered: UnsafeMutablePointer<Float>
}
