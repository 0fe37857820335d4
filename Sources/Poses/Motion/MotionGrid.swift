import Capture

/// Says where a picture changes, from the mean brightness of small cells a tenth of a second apart.
///
/// Only a sixteenth or so of the pixels is read, so that it costs next to nothing beside the networks. A change of
/// light is not motion: every row of cells is first brought to the brightness it had, a row by itself because lamps
/// that flicker draw bands across the pictures of most cameras. Nor is noise: a cell moves when it differs by several
/// times what the calmer cells of the same picture do.
package struct MotionGrid {
    /// Cells along the longer side of the picture.
    private static let cellsAlong = 40
    /// Pixels read along each side of a cell.
    private static let samplesAlong = 4
    /// How far back it looks, seconds: at a camera's rate neighbouring pictures hardly differ.
    private static let lookBackSeconds = 0.1
    /// Smaller differences of brightness, of 255, are never motion.
    private static let smallestDifference: Float = 4
    /// Motion in units of the noise's standard deviation.
    private static let noiseFactor: Float = 5

    private struct Moment {
        let time: Double
        let brightness: [Float]
        let people: [Motion.Area]
    }

    private var size: (width: Int, height: Int)?
    /// From the one that is looked back to, to the newest.
    private var moments: [Moment] = []

    package init() {}

    /// What moves in the next picture where nobody is; nothing in the first one, or where the pictures' size or the
    /// order of time breaks.
    ///
    /// - Parameter people: Where everyone is who is followed. What moves where they are, or just were, is them.
    package mutating func unexplainedMotion(in image: Image, at time: Double, people: [Motion.Area]) -> Motion {
        let cells = Cells(image, along: Self.cellsAlong)
        if size?.width != image.widthPixels || size?.height != image.heightPixels || time < moments.last?.time ?? 0 {
            moments = []
        }
        size = (image.widthPixels, image.heightPixels)
        // A millisecond, because times are sums of fractions.
        let past = moments.lastIndex { time - $0.time >= Self.lookBackSeconds - 0.001 } ?? 0
        moments.removeFirst(min(past, moments.count))
        let now = Moment(
            time: time, brightness: cells.brightness(of: image, samplesAlong: Self.samplesAlong), people: people)
        moments.append(now)
        let motion = Motion(
            columns: cells.columns, rows: cells.rows, cellWidth: Float(cells.side) / Float(image.widthPixels),
            cellHeight: Float(cells.side) / Float(image.heightPixels),
            isMoving: Self.changes(from: moments[0].brightness, to: now.brightness, columns: cells.columns))
        return motion.outside(moments.flatMap(\.people))
    }

    /// Which cells differ by more than light and noise explain.
    private static func changes(from before: [Float], to now: [Float], columns: Int) -> [Bool] {
        var differences = [Float](repeating: 0, count: now.count)
        var tolerances = differences
        for row in stride(from: 0, to: now.count, by: columns) {
            let cells = row..<row + columns
            let gain = gain(from: before[cells], to: now[cells])
            for cell in cells {
                differences[cell] = abs(now[cell] - gain * before[cell])
                // Neither films nor cameras answer to light in proportion.
                tolerances[cell] = 0.5 * abs(gain - 1) * before[cell]
            }
        }
        // Every seventh cell tells as much as all, and in the next row it is another column.
        let some = stride(from: 0, to: now.count, by: 7).map { differences[$0] }.sorted()
        // The lower quartile of a normal distribution's magnitudes is 0.32 of its standard deviation.
        let limit = max(smallestDifference, noiseFactor * some[some.count / 4] / 0.32)
        return now.indices.map { differences[$0] > limit + tolerances[$0] }
    }

    /// How much brighter most of the cells became; black ones cannot tell.
    private static func gain(from before: ArraySlice<Float>, to now: ArraySlice<Float>) -> Float {
        var ratios: [Float] = []
        ratios.reserveCapacity(now.count)
        for (old, new) in zip(before, now) where old > 8 { ratios.append(new / old) }
        ratios.sort()
        return ratios.isEmpty ? 1 : ratios[ratios.count / 2]
    }
}

/// Squares that cover a picture; those at the right and the lower edge may reach out of it.
private struct Cells {
    /// Pixels.
    let side: Int
    let columns: Int
    let rows: Int

    init(_ image: Image, along count: Int) {
        side = max(1, (max(image.widthPixels, image.heightPixels) + count - 1) / count)
        columns = (image.widthPixels + side - 1) / side
        rows = (image.heightPixels + side - 1) / side
    }

    /// The mean brightness of each cell, 0…255, row by row; `samplesAlong` squared pixels of each are read.
    func brightness(of image: Image, samplesAlong: Int) -> [Float] {
        var sums = [Int](repeating: 0, count: columns * rows)
        var counts = sums
        let step = max(1, side / samplesAlong)
        // In the middle of what each pixel stands for.
        let first = step / 2, place = image.brightness
        image.bytes.withUnsafeBufferPointer { bytes in
            for y in stride(from: first, to: image.heightPixels, by: step) {
                var x = first
                for column in 0..<columns {
                    let start = x, end = min((column + 1) * side, image.widthPixels)
                    var sum = 0
                    while x < end {
                        sum &+= Int(bytes[place.step &* (y &* image.widthPixels &+ x) &+ place.first])
                        x &+= step
                    }
                    sums[y / side * columns + column] += sum
                    counts[y / side * columns + column] += (x - start) / step
                }
            }
        }
        return zip(sums, counts).map { $1 > 0 ? Float($0) / Float($1) : 0 }
    }
}
