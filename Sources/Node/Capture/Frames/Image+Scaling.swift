extension Image {
    /// The picture with at most this many pixels along its longer side, in the same layout. A smaller picture stays as
    /// it is.
    ///
    /// Each pixel is the mean of those that it stands for.
    ///
    /// - Precondition: `pixels` is at least 2.
    public func scaled(toLongerSide pixels: Int) -> Image {
        precondition(pixels >= 2, "two by two pixels may share their colour")
        let longer = max(widthPixels, heightPixels)
        guard longer > pixels else { return self }
        let size = { (side: Int, multiple: Int) in
            max(multiple, (side * pixels + longer / 2) / longer / multiple * multiple)
        }
        let width = size(widthPixels, layout.shared.columns), height = size(heightPixels, layout.shared.rows)
        let count = layout.byteCount(widthPixels: width, heightPixels: height)
        let scaled = [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            bytes.withUnsafeBufferPointer { input in
                let before = layout.channels(widthPixels: widthPixels, heightPixels: heightPixels)
                let after = layout.channels(widthPixels: width, heightPixels: height)
                for (before, after) in zip(before, after) { before.shrink(input, to: output, after) }
            }
            filled = count
        }
        return Image(widthPixels: width, heightPixels: height, layout: layout, bytes: scaled)
    }
}

extension Image.Layout {
    /// One colour's place among the bytes of a picture.
    fileprivate struct Channel {
        /// The offset of its first byte, and the steps in bytes to the next column and row.
        let first, step, row: Int
        let columns, rows: Int

        /// Writes the means of rectangles.
        func shrink(
            _ input: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>, _ after: Channel
        ) {
            for y in 0..<after.rows {
                let rows = (y * rows / after.rows)..<((y + 1) * rows / after.rows)
                for x in 0..<after.columns {
                    let columns = (x * columns / after.columns)..<((x + 1) * columns / after.columns)
                    var sum = 0
                    for row in rows {
                        for column in columns { sum += Int(input[first + row * self.row + column * step]) }
                    }
                    let count = rows.count * columns.count
                    output[after.first + y * after.row + x * after.step] = UInt8((sum + count / 2) / count)
                }
            }
        }
    }

    fileprivate func channels(widthPixels width: Int, heightPixels height: Int) -> [Channel] {
        switch self {
        case .rgb:
            return (0..<3).map { Channel(first: $0, step: 3, row: width * 3, columns: width, rows: height) }
        case .yuyv:
            let light = Channel(first: 0, step: 2, row: width * 2, columns: width, rows: height)
            return [light]
                + [1, 3].map { Channel(first: $0, step: 4, row: width * 2, columns: width / 2, rows: height) }
        case .nv12:
            let light = Channel(first: 0, step: 1, row: width, columns: width, rows: height)
            return [light]
                + [0, 1].map {
                    Channel(first: width * height + $0, step: 2, row: width, columns: width / 2, rows: height / 2)
                }
        }
    }
}
