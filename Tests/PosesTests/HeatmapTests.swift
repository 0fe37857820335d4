import NeuralNet
import Testing

import Poses

@Suite struct HeatmapTests {
    private func point(_ x: Float, _ y: Float) -> Landmark {
        Landmark(x: x, y: y, z: 0, visibility: 1, presence: 1)
    }

    @Test func `the areas hold every cell a point needs`() {
        let points = [point(0.5, 0.5), point(0.01, 0.99), point(0.52, 0.3), point(0.999, 0), point(-0.005, 0.5)]
        let areas = Heatmap.areas(around: points)
        for point in points {
            let column = Int(point.x * 64), row = Int(point.y * 64)
            for y in max(0, row - 4)...min(63, row + 4) {
                for x in max(0, column - 4)...min(63, column + 4) {
                    #expect(areas.contains { $0.rows.contains(y) && $0.columns.contains(x) }, "\(x), \(y)")
                }
            }
        }
    }

    @Test func `the areas are pairs of rows within the map, at most one for each pair`() {
        let areas = Heatmap.areas(around: (0..<39).map { point(Float($0) / 38, Float($0 * 7 % 39) / 38) })
        #expect(areas.allSatisfy { $0.rows.count == 2 && 0...64 ~= $0.rows.upperBound && $0.rows.lowerBound >= 0 })
        #expect(areas.allSatisfy { 0...64 ~= $0.columns.upperBound && $0.columns.lowerBound >= 0 })
        #expect(Set(areas.map(\.rows.lowerBound)).count == areas.count)
    }

    @Test func `points outside the map or without a position need no cells`() {
        #expect(Heatmap.areas(around: [point(1.2, 0.5), point(.nan, 0.5), point(0.5, -.infinity)]).isEmpty)
    }
}
