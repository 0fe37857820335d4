import Capture
import Testing

import Poses

@Suite struct MotionGridTests {
    /// Whether motion is found in each picture of a series, a thirtieth of a second apart and altered by `change`.
    private func movements(
        of scene: Scene = Scene(), frames: Int = 12, people: [Motion.Area] = [],
        _ change: (inout Scene, Int) -> Void
    ) -> [Bool] {
        var (grid, scene) = (MotionGrid(), scene)
        return (0..<frames).map { index in
            change(&scene, index)
            return grid.unexplainedMotion(in: scene.picture(), at: Double(index) / 30, people: people).isSomething
        }
    }

    @Test(arguments: [0, 2, 8, 20] as [Float]) func `noise is not motion`(noise: Float) {
        #expect(!movements { scene, _ in scene.noise = noise }.contains(true))
    }

    @Test func `a global change of light is not motion`() {
        #expect(!movements { scene, index in scene.gain = 1 + 0.4 * Float(index) / 12 }.contains(true))
        #expect(!movements { scene, index in scene.gain = index < 6 ? 1 : 0.6 }.contains(true))
    }

    @Test func `bands of flickering lamps are not motion`() {
        #expect(!movements { scene, index in scene.band = (index * 7, 10) }.contains(true))
    }

    @Test func `motion is seen from its second frame until a tenth of a second after it stopped`() {
        let moved = movements { scene, index in
            scene.squares = [(200 + (index < 6 ? index * 20 : 100), 200, 80, 220)]
        }
        #expect(moved == [false] + Array(repeating: true, count: 7) + Array(repeating: false, count: 4))
    }

    @Test func `slow steps add up`() {
        // One and a half pixels a frame are less than a tenth of a cell.
        #expect(movements { scene, index in scene.squares = [(200 + index * 3 / 2, 200, 120, 250)] }.contains(true))
    }

    @Test func `a single spot is not motion`() {
        #expect(!movements { scene, index in scene.squares = [(322, 162, 8, index % 2 == 0 ? 255 : 0)] }.contains(true))
    }

    @Test func `motion at a tracked person's place belongs to that person, also a moment later`() {
        let here = Motion.Area(xMin: 0.2, yMin: 0.3, xMax: 0.7, yMax: 0.8)
        let walk = { (scene: inout Scene, index: Int) in scene.squares = [(200 + index * 10, 200, 80, 220)] }
        #expect(!movements(people: [here], walk).contains(true))
        #expect(movements(people: [Motion.Area(xMin: 0, yMin: 0, xMax: 0.2, yMax: 1)], walk).contains(true))
        var (grid, scene) = (MotionGrid(), Scene())
        for index in 0..<6 {
            walk(&scene, index)
            // The person is lost in the last picture.
            let motion = grid.unexplainedMotion(
                in: scene.picture(), at: Double(index) / 30, people: index < 5 ? [here] : [])
            #expect(!motion.isSomething)
        }
    }

    @Test func `another picture size resets the grid`() {
        var (grid, small, large) = (MotionGrid(), Scene(), Scene(width: 1280, height: 720))
        _ = grid.unexplainedMotion(in: small.picture(), at: 0, people: [])
        #expect(!grid.unexplainedMotion(in: large.picture(), at: 0.1, people: []).isSomething)
        #expect(!grid.unexplainedMotion(in: small.picture(), at: 0.05, people: []).isSomething)
    }
}

extension MotionGrid {
    /// The motion in the next picture that nobody explains.
    fileprivate mutating func unexplainedMotion(in image: Image, at time: Double, people: [Motion.Area]) -> Motion {
        _ = motion(in: image, at: time)
        return unexplained(by: people)
    }
}
