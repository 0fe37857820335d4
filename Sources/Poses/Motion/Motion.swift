/// The parts of a picture that move.
package struct Motion: Equatable {
    /// A part of the picture in fractions of its width and height.
    package typealias Area = Detection.Box

    package let columns: Int
    package let rows: Int
    /// Of one cell, in fractions of the picture.
    package let cellWidth, cellHeight: Float
    /// Row by row.
    package var isMoving: [Bool]

    package init(columns: Int, rows: Int, cellWidth: Float, cellHeight: Float, isMoving: [Bool]) {
        self.columns = columns
        self.rows = rows
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
        self.isMoving = isMoving
    }

    /// What moves outside the given areas; a cell belongs to an area that holds its centre.
    package func outside(_ areas: [Area]) -> Motion {
        var rest = self
        for cell in isMoving.indices where isMoving[cell] {
            let x = (Float(cell % columns) + 0.5) * cellWidth, y = (Float(cell / columns) + 0.5) * cellHeight
            rest.isMoving[cell] = !areas.contains { $0.xMin <= x && x <= $0.xMax && $0.yMin <= y && y <= $0.yMax }
        }
        return rest
    }

    /// Whether something moves: two cells that touch. A single one is a flickering lamp, or noise after all.
    package var isSomething: Bool {
        isMoving.indices.contains { cell in
            guard isMoving[cell] else { return false }
            let column = cell % columns
            let neighbours = [(1, 1), (columns - 1, -1), (columns, 0), (columns + 1, 1)]
            return neighbours.contains { step, across in
                (0..<columns).contains(column + across) && cell + step < isMoving.count && isMoving[cell + step]
            }
        }
    }
}

extension Motion {
    /// Moving cells so far apart are still one thing: of someone who moves, only outlines change.
    private static let reach = 2
    /// The detector finds who fills a third of its square and more.
    private static let squarePerThing: Float = 2.5

    /// Squares around each thing that moves, in pixels, the largest first; without those that show no small part of
    /// the picture but most of it.
    package func squares(widthPixels: Int, heightPixels: Int) -> [RegionOfInterest] {
        let cell = SIMD2(cellWidth * Float(widthPixels), cellHeight * Float(heightPixels))
        let all = things().map { thing in
            let low = SIMD2(Float(thing.columns.lowerBound), Float(thing.rows.lowerBound)) * cell
            let high = SIMD2(Float(thing.columns.upperBound + 1), Float(thing.rows.upperBound + 1)) * cell
            let middle = (low + high) / 2
            return RegionOfInterest(
                centerX: middle.x, centerY: middle.y, size: Self.squarePerThing * (high - low).max(), angle: 0)
        }
        return all.filter { $0.size <= 0.75 * Float(max(widthPixels, heightPixels)) }.sorted { $0.size > $1.size }
    }

    /// The columns and rows that each group of cells covers that move close together; single cells are none.
    private func things() -> [(columns: ClosedRange<Int>, rows: ClosedRange<Int>)] {
        var left = Set(isMoving.indices.filter { isMoving[$0] })
        var things: [(columns: ClosedRange<Int>, rows: ClosedRange<Int>)] = []
        while let seed = left.min() {
            left.remove(seed)
            var group = [seed]
            var next = 0
            while next < group.count {
                let (column, row) = (group[next] % columns, group[next] / columns)
                next += 1
                for y in max(0, row - Self.reach)...min(rows - 1, row + Self.reach) {
                    for x in max(0, column - Self.reach)...min(columns - 1, column + Self.reach)
                    where left.remove(y * columns + x) != nil {
                        group.append(y * columns + x)
                    }
                }
            }
            let across = group.map { $0 % columns }.sorted(), down = group.map { $0 / columns }.sorted()
            if group.count > 1 { things.append((across[0]...across[across.count - 1], down[0]...down[down.count - 1])) }
        }
        return things
    }
}

extension Motion.Area {
    /// The part of the picture whose motion is this person's: the box around the joints and what reaches beyond them,
    /// which is the crown of the head, hands, and as far as they come in a tenth of a second.
    package init(around pose: Pose, aspect: Float) {
        let seen = pose.keypoints.filter { $0.confidence > 0.1 }
        let low = seen.reduce(SIMD2<Float>(1, 1)) { pointwiseMin($0, SIMD2($1.x, $1.y)) }
        let high = seen.reduce(SIMD2<Float>(0, 0)) { pointwiseMax($0, SIMD2($1.x, $1.y)) }
        let margin = 0.2 * max((high.x - low.x) * aspect, high.y - low.y)
        self.init(
            xMin: low.x - margin / aspect, yMin: low.y - margin, xMax: high.x + margin / aspect,
            yMax: high.y + margin)
    }
}
