/// How a channel-planar map stands in memory; see `ckernels_planar.h` for why.
struct PlanarShape: Hashable {
    let height, width: Int

    /// Zeros between two rows, which serve the right edge of one and the left edge of the next.
    static let gutter = 2
    /// Floats in a cache line: planes begin on one.
    static let line = 16

    init(_ shape: MapShape) { (height, width) = (shape.height, shape.width) }

    /// Floats from one row to the next.
    var row: Int { width + Self.gutter }
    /// Floats a plane has, gutters included.
    var lanes: Int { height * row }
    /// Floats from one plane to the next, with room for a vector behind the last row's last pixel.
    var plane: Int { Self.plane(lanes: max(lanes, (height - 1) * row + width.roundedUp(to: Self.line))) }

    /// An odd number of cache lines: the same place of all planes spreads over the whole first-level cache.
    static func plane(lanes: Int) -> Int {
        let size = lanes.roundedUp(to: line)
        return size / line % 2 == 1 ? size : size + line
    }
}

/// A channel-planar map, or the tile of one, in memory that its network keeps.
struct PlanarMap {
    let start: UnsafeMutablePointer<Float>
    /// Floats from one plane to the next.
    let plane: Int

    /// Zeroes the gutter before a place in every plane: other values stood in the memory before.
    func sealGutter(before lane: Int, channels: Range<Int>) {
        for channel in channels {
            let gutter = start + channel * plane + lane - PlanarShape.gutter
            (gutter[0], gutter[1]) = (0, 0)
        }
    }

    /// Zeroes the gutters behind all rows.
    func clearGutters(_ shape: PlanarShape, channels: Range<Int>) {
        for channel in channels {
            for y in 0..<shape.height {
                let gutter = start + channel * plane + y * shape.row + shape.width
                (gutter[0], gutter[1]) = (0, 0)
            }
        }
    }
}

/// Memory between the layers of a block, one for everybody who runs steps at the same time.
struct PlanarScratch {
    /// Between the widening convolution and the depthwise one, and between that one and the narrowing one.
    let wide, filtered: UnsafeMutablePointer<Float>
}
