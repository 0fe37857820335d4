import Capture
import Testing

import Poses

@Suite struct PictureSweepTests {
    /// The squares of the frames of so many seconds at 15 Hz, and the time of each.
    private func sweep(
        width: Int = 1280, height: Int = 960, seconds: Double, isCovered: (RegionOfInterest) -> Bool = { _ in false }
    ) -> [(time: Double, square: RegionOfInterest)] {
        var sweep = PictureSweep(widthPixels: width, heightPixels: height)
        return (0..<Int(seconds * 15)).flatMap { frame in
            sweep.squares(at: Double(frame) / 15, isCovered: isCovered).map { (Double(frame) / 15, $0) }
        }
    }

    @Test func `the first sweep covers the whole picture within two seconds, large squares first`() {
        let found = sweep(seconds: 2)
        #expect(found.first?.square.size == 717 && found.last { $0.square.size < 300 } != nil)
        // Somebody of 100 pixels anywhere is wholly within a small square.
        for x in stride(from: Float(30), to: 1250, by: 20) {
            for y in stride(from: Float(50), to: 910, by: 20) {
                let isSeen = found.contains { square in
                    square.1.size < 300 && abs(square.1.centerX - x) + 25 <= square.1.size / 2
                        && abs(square.1.centerY - y) + 50 <= square.1.size / 2
                }
                #expect(isSeen, "\(x), \(y)")
            }
        }
    }

    @Test func `later sweeps are slow`() {
        let found = sweep(seconds: 12).filter { $0.time > 2 }
        #expect((18...20).contains(found.count))
    }

    @Test func `later sweeps go on where there is time in one frame of three`() {
        var sweep = PictureSweep(widthPixels: 1280, heightPixels: 960)
        let found = (0..<900).filter { frame in
            !sweep.squares(at: Double(frame) / 15, most: frame % 3 == 0 ? 1 : 0) { _ in false }.isEmpty
        }
        #expect((36...42).contains(found.count { $0 >= 600 }))
    }

    @Test func `squares that show only known people are passed over`() {
        #expect(sweep(seconds: 3) { _ in true }.isEmpty)
        #expect(sweep(seconds: 2) { $0.centerX < 640 }.allSatisfy { $0.square.centerX >= 640 })
    }

    @Test func `a small picture needs no squares`() {
        #expect(sweep(width: 160, height: 120, seconds: 1).isEmpty)
    }

    @Test func `a pause does not make up for searches that were left out`() {
        var sweep = PictureSweep(widthPixels: 1280, heightPixels: 960)
        _ = sweep.squares(at: 0) { _ in false }
        #expect(sweep.squares(at: 100) { _ in false }.count <= 4)
    }
}

@Suite struct LostPlacesTests {
    private let region = RegionOfInterest(centerX: 300, centerY: 200, size: 100, angle: 0.3)

    @Test func `a lost person is searched for at once, then where they may have walked`() {
        var places = LostPlaces(memorySeconds: 10)
        places.add(region, velocity: SIMD2(50, 0), at: 5)
        let first = places.squares(at: 5), second = places.squares(at: 5.5)
        #expect(first.map(\.centerX) == [300] && first.first?.size == 130 && first.first?.angle == 0)
        #expect(second.map(\.centerX) == [325])
    }

    @Test func `searches become rare and end`() {
        var places = LostPlaces(memorySeconds: 10)
        places.add(region, velocity: .zero, at: 0)
        let times = (0..<400).map { Double($0) / 30 }.filter { !places.squares(at: $0).isEmpty }
        #expect((20...28).contains(times.count) && times.allSatisfy { $0 <= 10 })
    }

    @Test func `where somebody was found, searches are rare from then on`() {
        var places = LostPlaces(memorySeconds: 10)
        places.add(region, velocity: .zero, at: 0)
        places.found(RegionOfInterest(centerX: 900, centerY: 200, size: 100, angle: 0), at: 0)
        #expect(!places.squares(at: 0.1).isEmpty)
        places.found(RegionOfInterest(centerX: 320, centerY: 210, size: 110, angle: 0), at: 0.1)
        let times = (3..<400).map { Double($0) / 30 }.filter { !places.squares(at: $0).isEmpty }
        #expect((8...10).contains(times.count) && times.allSatisfy { (1.09...10).contains($0) })
    }

    @Test func `without time no place is searched, and none is forgotten`() {
        var places = LostPlaces(memorySeconds: 10)
        places.add(region, velocity: .zero, at: 0)
        #expect(places.squares(at: 0, most: 0).isEmpty)
        #expect(places.squares(at: 1, most: 1).count == 1)
    }
}

@Suite struct StillnessWatchTests {
    private let area = Detection.Box(xMin: 0.25, yMin: 0.25, xMax: 0.5, yMax: 0.75)

    /// Looks at pictures at 15 Hz and returns the watch.
    private func watch(
        seconds: Double, mayBeStill: Bool = true, passers: [Detection.Box] = [],
        _ change: (inout Scene, Double) -> Void
    ) -> StillnessWatch {
        var (scene, watch) = (Scene(width: 320, height: 240), StillnessWatch())
        for frame in 0..<Int(seconds * 15) {
            change(&scene, Double(frame) / 15)
            watch.look(
                at: scene.picture(), area: area, time: Double(frame) / 15, mayBeStill: mayBeStill, passers: passers)
        }
        return watch
    }

    @Test(arguments: [2, 4, 8] as [Float]) func `noise and slow light are no change`(noise: Float) {
        let still = watch(seconds: 6) { scene, time in
            scene.noise = noise
            scene.gain = 1 + 0.01 * Float(time)
        }
        #expect(!still.hasChanged && still.lastChange == 0)
    }

    @Test func `somebody who sways is seen within two seconds`() {
        let swaying = watch(seconds: 2) { scene, time in
            scene.squares = [(x: 100 + (time < 1 ? 0 : 3), y: 80, side: 40, brightness: 220)]
        }
        #expect(swaying.hasChanged)
    }

    @Test func `what moves elsewhere is no change here`() {
        let elsewhere = watch(seconds: 4) { scene, time in
            scene.squares = [(x: 200 + Int(time * 10), y: 20, side: 40, brightness: 220)]
        }
        #expect(!elsewhere.hasChanged)
    }

    @Test func `somebody beside a poster gives it no life, and the rest of the place still tells`() {
        let person = Detection.Box(xMin: 0.2, yMin: 0.6, xMax: 0.9, yMax: 1)
        func square(_ y: Int) -> StillnessWatch {
            watch(seconds: 4, passers: [person]) { scene, time in
                scene.squares = [(x: 90 + Int(time * 10), y: y, side: 30, brightness: 220)]
            }
        }
        let beside = square(150), within = square(80)
        #expect(!beside.hasChanged && beside.lastChange == 0)
        #expect(within.hasChanged && within.lastChange ?? 0 > 3)
    }

    @Test func `a place that passers cover for the most part tells nothing`() {
        let person = Detection.Box(xMin: 0.2, yMin: 0.4, xMax: 0.9, yMax: 1)
        let covered = watch(seconds: 4, passers: [person]) { scene, time in
            scene.squares = [(x: 90 + Int(time * 10), y: 80, side: 30, brightness: 220)]
        }
        #expect(!covered.hasChanged && covered.lastChange ?? 0 > 3)
    }

    @Test func `in a still without any noise everybody counts, until something moves`() {
        #expect(watch(seconds: 1) { scene, _ in scene.noise = 0 }.hasChanged)
        #expect(!watch(seconds: 1, mayBeStill: false) { scene, _ in scene.noise = 0 }.hasChanged)
    }
}
