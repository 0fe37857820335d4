import Capture

/// Finds motion by comparing the mean brightness of small cells a tenth of a second apart.
///
/// Only about a sixteenth of the pixels is read, so the cost is negligible beside the networks. Changes of light are
/// compensated: every row of cells is first scaled to its former brightness. This is done per row because flickering
/// lamps cause horizontal bands in the pictures of most cameras. Noise is compensated, too: a cell counts as moving
/// when it changes several times as much as the calmer cells of the same picture.
package struct MotionGrid {
    /// Cells along the longer side of the picture.
    private static let cellsAlong = 40
    /// Pixels read along each side of a cell.
    private static let samplesAlong = 4
    /// The time between the compared pictures, in seconds. Consecutive pictures of a camera hardly differ.
    private static let lookBackSeconds = 0.1
    /// The smallest difference of brightness, on the scale 0…255, that can be motion.
    private static let smallestDifference: Float = 4
    /// The smallest difference that can be motion, in standard deviations of the noise.
    private static let noiseFactor: Float = 5

    private struct Moment {
        let time: Double
        let brightness: [Float]
        var people: [Motion.Area]
    }

    private var size: (width: Int, height: Int)?
    /// The pictures from the one to compare with to the newest.
    private var moments: [Moment] = []
    private var newest = Motion(columns: 0, rows: 0, cellWidth: 0, cellHeight: 0, isMoving: [])

    /// Starts without a picture.
    package init() {}

    /// The motion in the next picture. There is none in the first picture, and none after the size changes or time goes
    /// backwards.
    package mutating func motion(in image: Image, at time: Double) -> Motion {
        let cells = Cells(image, along: Self.cellsAlong)
        if size?.width != image.widthPixels || size?.height != image.heightPixels || time < moments.last?.time ?? 0 {
            moments = []
        }
        size = (image.widthPixels, image.heightPixels)
        // A millisecond of tolerance for rounding errors in the times.
        let past = moments.lastIndex { time - $0.time >= Self.lookBackSeconds - 0.001 } ?? 0
        moments.removeFirst(min(past, moments.count))
        let now = Moment(
            time: time, brightness: cells.brightness(of: image, samplesAlong: Self.samplesAlong), people: [])
        moments.append(now)
        newest = Motion(
            columns: cells.columns, rows: cells.rows, cellWidth: Float(cells.side) / Float(image.widthPixels),
            cellHeight: Float(cells.side) / Float(image.heightPixels),
            isMoving: Self.changes(from: moments[0].brightness, to: now.brightness, columns: cells.columns))
        return newest
    }

    /// The newest motion that no tracked person explains.
    ///
    /// - Parameter people: the areas of all tracked people. Motion where they are, or were just before, is theirs.
    package mutating func unexplained(by people: [Motion.Area]) -> Motion {
        guard let last = moments.indices.last else { return newest }
        moments[last].people = people
        return newest.outside(moments.flatMap(\.people))
    }

    /// Whether each cell changed by more than light and noise explain.
    private static func changes(from before: [Float], to now: [Float], columns: Int) -> [Bool] {
        var differences = [Float](repeating: 0, count: now.count)
        var tolerances = differences
        for row in stride(from: 0, to: now.count, by: columns) {
            let cells = row..<row + columns
            let gain = gain(from: before[cells], to: now[cells])
            for cell in cells {
                differences[cell] = abs(now[cell] - gain * before[cell])
                // Cameras do not respond to light linearly.
                tolerances[cell] = 0.5 * abs(gain - 1) * before[cell]
            }
        }
        // Every seventh cell is a sufficient sample, and its column changes from row to row.
        let sample = stride(from: 0, to: now.count, by: 7).map { differences[$0] }.sorted()
        // The lower quartile of a normal distribution's magnitudes is 0.32 of its standard deviation.
        let limit = max(smallestDifference, noiseFactor * sample[sample.count / 4] / 0.32)
        return now.indices.map { differences[$0] > limit + tolerances[$0] }
    }

    /// The median ratio of brightness, now to before. Nearly black cells are ignored.
    private static func gain(from before: ArraySlice<Float>, to now: ArraySlice<Float>) -> Float {
        var ratios: [Float] = []
        ratios.reserveCapacity(now.count)
        for (old, new) in zip(before, now) where old > 8 { ratios.append(new / old) }
        ratios.sort()
        return ratios.isEmpty ? 1 : ratios[ratios.count / 2]
    }
}

/// Square cells that cover a picture. Those at the right and lower edge may extend beyond it.
private struct Cells {
    /// The side of a cell in pixels.
    let side: Int
    let columns: Int
    let rows: Int

    init(_ image: Image, along count: Int) {
        side = max(1, (max(image.widthPixels, image.heightPixels) + count - 1) / count)
        columns = (image.widthPixels + side - 1) / side
        rows = (image.heightPixels + side - 1) / side
    }

    /// The mean brightness of each cell, 0…255, row by row. About `samplesAlong` squared pixels per cell are read.
    func brightness(of image: Image, samplesAlong: Int) -> [Float] {
        var sums = [Int](repeating: 0, count: columns * rows)
        var counts = sums
        let step = max(1, side / samplesAlong)
        // Each sample is in the middle of the pixels it represents.
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
