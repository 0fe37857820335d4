import Foundation
import NeuralNet

/// The network's heatmaps: for every landmark, where in the region it may be.
package struct Heatmap {
    static let side = 64
    /// `[side, side, channels]`, of which the network computes only ``areas(around:)``. They are read in the network's
    /// memory, since most values are never needed.
    let logits: InterleavedNetwork.Map

    /// The window's reach in cells on each side of the point's cell. MediaPipe's graph says 3, its binary behaves as 4.
    static let reach = 4
    /// At least one cell of the window must have this confidence.
    private static let minimumConfidence: Float = 0.5

    /// Moves a point to the centroid of the probabilities around it. z, visibility and presence do not change.
    ///
    /// Source: MediaPipe's RefineLandmarksFromHeatmapCalculator.
    func refine(_ point: Landmark, channel: Int) -> Landmark {
        guard let window = Self.window(around: point) else { return point }
        var sum: Float = 0, sumX: Float = 0, sumY: Float = 0, highest: Float = 0
        for y in window.rows {
            for x in window.columns {
                let confidence = logistic(logits[y * Self.side + x, channel])
                sum += confidence
                highest = max(highest, confidence)
                sumX += confidence * Float(x)
                sumY += confidence * Float(y)
            }
        }
        guard highest >= Self.minimumConfidence, sum > 0 else { return point }
        var refined = point
        refined.x = sumX / Float(Self.side) / sum
        refined.y = sumY / Float(Self.side) / sum
        return refined
    }

    /// The parts of the map that the windows of all points need, about a fifth of it.
    package static func areas(around points: [Landmark]) -> [MapArea] {
        let windows = points.compactMap(window)
        return stride(from: 0, to: side, by: 2).compactMap { row in
            let columns = windows.filter { $0.rows.overlaps(row..<row + 2) }.map(\.columns)
            guard let first = columns.map(\.lowerBound).min(), let last = columns.map(\.upperBound).max() else {
                return nil
            }
            // Rounded to multiples of four, since the kernels process four pixels at a time.
            return MapArea(firstRow: row, columns: first / 4 * 4..<(last + 3) / 4 * 4)
        }
    }

    /// The cells around a point; `nil` for a point outside the map.
    private static func window(around point: Landmark) -> (rows: Range<Int>, columns: Range<Int>)? {
        // Truncated towards zero as in MediaPipe: a point just outside the map counts as in the first cell.
        guard abs(point.x) < 2, abs(point.y) < 2 else { return nil }
        let column = Int(point.x * Float(side)), row = Int(point.y * Float(side)), cells = 0..<side
        guard cells ~= column, cells ~= row else { return nil }
        return (
            (row - reach..<row + reach + 1).clamped(to: cells), (column - reach..<column + reach + 1).clamped(to: cells)
        )
    }
}
