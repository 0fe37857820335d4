/// The cells of a picture in which something moves.
package struct Motion: Equatable {
    /// A box in fractions of the picture's width and height.
    package typealias Area = Detection.Box

    /// The number of cells in a row.
    package let columns: Int
    /// The number of rows.
    package let rows: Int
    /// The size of one cell, in fractions of the picture.
    package let cellWidth, cellHeight: Float
    /// Whether each cell moves, row by row.
    package var isMoving: [Bool]

    /// Creates a motion from its parts.
    package init(columns: Int, rows: Int, cellWidth: Float, cellHeight: Float, isMoving: [Bool]) {
        self.columns = columns
        self.rows = rows
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
        self.isMoving = isMoving
    }

    /// The motion outside the given areas. A cell belongs to an area that contains its centre.
    package func outside(_ areas: [Area]) -> Motion {
        without { point in
            areas.contains { $0.contains(point) }
        }
    }

    /// The motion outside the masks. A cell belongs to a mask that contains its centre.
    package func outside(_ masks: [PictureArea]) -> Motion {
        masks.isEmpty ? self : without { point in masks.contains { $0.contains(point) } }
    }

    /// The motion of the cells whose centre is not left out.
    private func without(_ isLeftOut: (SIMD2<Float>) -> Bool) -> Motion {
        var rest = self
        for cell in isMoving.indices where isMoving[cell] {
            rest.isMoving[cell] = !isLeftOut(
                SIMD2((Float(cell % columns) + 0.5) * cellWidth, (Float(cell / columns) + 0.5) * cellHeight))
        }
        return rest
    }

    /// Whether a cell moves whose centre lies in the area.
    func isSomething(in area: Area) -> Bool {
        guard columns > 0, rows > 0 else { return false }
        func cells(_ low: Float, _ high: Float, _ size: Float, _ count: Int) -> Range<Int> {
            let first = min(max(0, Int(((low / size) - 0.5).rounded(.up))), count)
            return first..<max(first, min(count, Int(((high / size) - 0.5).rounded(.down)) + 1))
        }
        let across = cells(max(area.xMin, 0), min(area.xMax, 1), cellWidth, columns)
        return cells(max(area.yMin, 0), min(area.yMax, 1), cellHeight, rows).contains { row in
            across.contains { isMoving[row * columns + $0] }
        }
    }

    /// Whether a cell moves that lies around the area, at most as far away as the area is large, but not in it.
    package func isSomething(around area: Area) -> Bool {
        // Cells are square.
        outside([area]).isSomething(in: area.grown(by: 1, aspect: cellHeight / cellWidth))
    }

    /// Whether two adjacent cells move. A single moving cell may be a flickering lamp or noise.
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
    /// Moving cells up to this far apart belong to one thing: of a moving person, only the outline changes.
    private static let reach = 2
    /// The side of a square in units of the moving thing: the detector finds people who fill a third of it or more.
    private static let squarePerThing: Float = 2.5

    /// Squares around the things that move, in pixels, the largest first. Squares of more than three quarters of the
    /// picture's longer side are left out.
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

    /// Groups of moving cells that are close together, as ranges of columns and rows. Single cells are ignored.
    private func things() -> [(columns: ClosedRange<Int>, rows: ClosedRange<Int>)] {
        var remaining = Set(isMoving.indices.filter { isMoving[$0] })
        var things: [(columns: ClosedRange<Int>, rows: ClosedRange<Int>)] = []
        while let seed = remaining.min() {
            remaining.remove(seed)
            var group = [seed]
            var next = 0
            while next < group.count {
                let (column, row) = (group[next] % columns, group[next] / columns)
                next += 1
                for y in max(0, row - Self.reach)...min(rows - 1, row + Self.reach) {
                    for x in max(0, column - Self.reach)...min(columns - 1, column + Self.reach)
                    where remaining.remove(y * columns + x) != nil {
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
    func contains(_ point: SIMD2<Float>) -> Bool {
        xMin <= point.x && point.x <= xMax && yMin <= point.y && point.y <= yMax
    }

    /// The area with a margin of so many of its longer sides. `aspect` is the picture's width divided by its height.
    fileprivate func grown(by sides: Float, aspect: Float) -> Self {
        let margin = sides * max((xMax - xMin) * aspect, yMax - yMin)
        return Self(
            xMin: xMin - margin / aspect, yMin: yMin - margin, xMax: xMax + margin / aspect, yMax: yMax + margin)
    }

    /// The area whose motion is attributed to a person: the bounding box of the joints plus a margin. The margin covers
    /// the crown of the head, the hands, and the movement of a tenth of a second.
    package init(around pose: Pose, aspect: Float) {
        let seen = pose.keypoints.filter { $0.confidence > 0.1 }
        let low = seen.reduce(SIMD2<Float>(1, 1)) { pointwiseMin($0, SIMD2($1.x, $1.y)) }
        let high = seen.reduce(SIMD2<Float>(0, 0)) { pointwiseMax($0, SIMD2($1.x, $1.y)) }
        self = Self(xMin: low.x, yMin: low.y, xMax: high.x, yMax: high.y).grown(by: 0.2, aspect: aspect)
    }
}
