import Foundation
import NeuralNet

/// For every point a map of where in the region it may be.
struct Heatmap {
    let side: Int
    /// `[side, side, channels]`, read where the network left them: most are never looked at.
    let logits: InterleavedNetwork.Map

    /// Cells on each side of the point's own that count. MediaPipe's graph says 3, its binary behaves as 4.
    static let reach = 4
    /// At least one cell must be this sure.
    private static let minimumConfidence: Float = 0.5

    /// Moves a point to the centre of gravity of the probabilities around it; z, visibility and presence stay.
    ///
    /// Source: MediaPipe's RefineLandmarksFromHeatmapCalculator.
    func refine(_ point: Landmark, channel: Int) -> Landmark {
        // Truncation towards zero, as in the source: a point just outside still counts as in the first cell.
        guard abs(point.x) < 2, abs(point.y) < 2 else { return point }
        let column = Int(point.x * Float(side)), row = Int(point.y * Float(side))
        guard 0..<side ~= column, 0..<side ~= row else { return point }
        var sum: Float = 0, sumX: Float = 0, sumY: Float = 0, highest: Float = 0
        for y in max(0, row - Self.reach)...min(side - 1, row + Self.reach) {
            for x in max(0, column - Self.reach)...min(side - 1, column + Self.reach) {
                let confidence = logistic(logits[y * side + x, channel])
                sum += confidence
                highest = max(highest, confidence)
                sumX += confidence * Float(x)
                sumY += confidence * Float(y)
            }
        }
        guard highest >= Self.minimumConfidence, sum > 0 else { return point }
        var refined = point
        refined.x = sumX / Float(side) / sum
        refined.y = sumY / Float(side) / sum
        return refined
    }
}
