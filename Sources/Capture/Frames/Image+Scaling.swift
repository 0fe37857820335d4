extension Image {
    /// The picture with at most this many pixels along its longer side, in the same layout. A smaller picture stays as
    /// it is.
    ///
    /// Each pixel is the mean of those that it stands for.
    ///
    /// - Precondition: `pixels` is at least 2.
    public func scaled(toLongerSide pixels: Int) -> Image {
        precondition(pixels >= 2, "two pixels of a row may share their colour")
        let longer = max(widthPixels, heightPixels)
        guard longer > pixels else { return self }
        let size = { (side: Int) in max(1, (side * pixels + longer / 2) / longer) }
        let height = size(heightPixels)
        let width = layout == .rgb ? size(widthPixels) : max(2, size(widthPixels) & ~1)
        let count = width * height * layout.depth
        let scaled = [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            bytes.withUnsafeBufferPointer { input in
                for channel in layout.channels {
                    channel.shrink(
                        input, (widthPixels * layout.depth, heightPixels), to: output, (width * layout.depth, height))
                }
            }
            filled = count
        }
        return Image(widthPixels: width, heightPixels: height, layout: layout, bytes: scaled)
    }
}

extension Image.Layout {
    /// One colour's place among the bytes of a row.
    fileprivate struct Channel {
        /// The offset of its first byte, and the step to the next one.
        let first, step: Int

        /// Writes the means of rectangles. The sizes are bytes of a row, and rows.
        func shrink(
            _ input: UnsafeBufferPointer<UInt8>, _ from: (row: Int, rows: Int),
            to output: UnsafeMutableBufferPointer<UInt8>, _ to: (row: Int, rows: Int)
        ) {
            let (before, after) = (from.row / step, to.row / step)
            for y in 0..<to.rows {
                let rows = (y * from.rows / to.rows)..<((y + 1) * from.rows / to.rows)
                for x in 0..<after {
                    let columns = (x * before / after)..<((x + 1) * before / after)
                    var sum = 0
                    for row in rows {
                        for column in columns { sum += Int(input[row * from.row + first + column * step]) }
                    }
                    let count = rows.count * columns.count
                    output[y * to.row + first + x * step] = UInt8((sum + count / 2) / count)
                }
            }
        }
    }

    fileprivate var channels: [Channel] {
        switch self {
        case .rgb: [Channel(first: 0, step: 3), Channel(first: 1, step: 3), Channel(first: 2, step: 3)]
        case .yuyv: [Channel(first: 0, step: 2), Channel(first: 1, step: 4), Channel(first: 3, step: 4)]
        }
    }
}
