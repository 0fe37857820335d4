import Testing

import Poses

@Suite struct MotionTests {
    /// Cells drawn as text: `#` is motion. A cell is ten pixels wide.
    private func motion(_ rows: String...) -> Motion {
        Motion(
            columns: rows[0].count, rows: rows.count, cellWidth: 1 / Float(rows[0].count),
            cellHeight: 1 / Float(rows.count), isMoving: rows.joined().map { $0 == "#" })
    }

    @Test func `two touching cells count as motion, a single one does not`() {
        #expect(!motion("#..#", "....", ".#..").isSomething)
        #expect(motion("#...", "#...", "....").isSomething)
        #expect(motion("....", ".#..", "#...").isSomething)
        // The end of a row is not adjacent to the start of the next.
        #expect(!motion("...#", "#...", "....").isSomething)
    }

    @Test func `cells within an area are left out`() {
        let outside = motion("##..", "....", "...#").outside([.init(xMin: 0, yMin: 0, xMax: 0.5, yMax: 0.3)])
        #expect(outside == motion("....", "....", "...#"))
    }

    @Test func `motion around an area is neither in it nor far away`() {
        // The area is the third and fourth column of the middle rows, two cells wide and two high. Cells are square.
        let area = Motion.Area(xMin: 0.2, yMin: 1 / 3, xMax: 0.4, yMax: 2 / 3)
        let nothing = "..........", inside = "..##......"
        #expect(!motion(nothing, nothing, inside, inside, nothing, nothing).isSomething(around: area))
        #expect(motion(nothing, nothing, inside, "....#.....", nothing, nothing).isSomething(around: area))
        #expect(motion("#.........", nothing, nothing, nothing, nothing, nothing).isSomething(around: area))
        #expect(!motion(nothing, "......##..", nothing, nothing, nothing, nothing).isSomething(around: area))
    }

    @Test func `each separate moving area gets a square, the largest first`() {
        let squares = motion(
            "##..................", "##..................", "....................", "....................",
            "....................", "..................#.", "..................#.", "..................#."
        ).squares(widthPixels: 200, heightPixels: 80)
        #expect(
            squares == [
                RegionOfInterest(centerX: 185, centerY: 65, size: 75, angle: 0),
                RegionOfInterest(centerX: 10, centerY: 10, size: 50, angle: 0),
            ])
    }

    @Test func `neither a very large area nor a single cell gets a close look`() {
        #expect(motion("####......", "####......").squares(widthPixels: 100, heightPixels: 20).isEmpty)
        #expect(motion("#.........", ".........#").squares(widthPixels: 100, heightPixels: 20).isEmpty)
    }

    @Test func `a person's area covers the joints and a margin around them`() {
        var pose = Pose(keypoints: Array(repeating: .missing, count: Joint.allCases.count))
        pose.keypoints[Joint.nose.rawValue] = Keypoint(x: 0.5, y: 0.2, confidence: 0.9)
        pose.keypoints[Joint.leftAnkle.rawValue] = Keypoint(x: 0.4, y: 0.7, confidence: 0.9)
        let area = Motion.Area(around: pose, aspect: 2)
        #expect(abs(area.xMin - 0.35) < 1e-5 && abs(area.xMax - 0.55) < 1e-5)
        #expect(abs(area.yMin - 0.1) < 1e-5 && abs(area.yMax - 0.8) < 1e-5)
    }
}
