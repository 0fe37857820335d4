import Capture
import Testing

import Poses

/// People who are hidden and come back, in pictures where each wears a colour.
@Suite struct HiddenPeopleTests {
    private struct Person {
        var x: Float
        var colour: (UInt8, UInt8, UInt8)
        var size: Float = 0.5
        var confidence: Float = 0.9

        /// A standing figure with its centre at (x, 0.5).
        var pose: Pose {
            let offsets: [(Float, Float)] = [
                (0, -0.5), (0, -0.35), (-0.08, -0.35), (-0.12, -0.2), (-0.12, -0.05), (0.08, -0.35), (0.12, -0.2),
                (0.12, -0.05), (-0.05, 0), (-0.05, 0.25), (-0.05, 0.5), (0.05, 0), (0.05, 0.25), (0.05, 0.5),
                (-0.02, -0.52), (0.02, -0.52), (-0.04, -0.51), (0.04, -0.51),
            ]
            return Pose(
                keypoints: offsets.map {
                    Keypoint(x: x + $0.0 * size, y: 0.5 + $0.1 * size, confidence: confidence)
                })
        }
    }

    private static let red: (UInt8, UInt8, UInt8) = (190, 30, 30)
    private static let blue: (UInt8, UInt8, UInt8) = (30, 40, 180)

    private func frame(at time: Double, _ people: [Person]) -> PosedFrame {
        let (width, height) = (160, 120)
        var rgb = [UInt8](repeating: 110, count: width * height * 3)
        for person in people {
            let half = Int(0.13 * person.size * Float(width)) + 1, middle = Int(person.x * Float(width))
            for y in Int(0.5 * Float(height) * (1 - 0.8 * person.size))..<Int(0.5 * Float(height) * (1 + person.size)) {
                for x in max(0, middle - half)..<min(width, middle + half) {
                    let at = 3 * (y * width + x)
                    (rgb[at], rgb[at + 1], rgb[at + 2]) = person.colour
                }
            }
        }
        return PosedFrame(
            index: Int(time * 10), time: time, image: Image(widthPixels: width, heightPixels: height, rgb: rgb),
            widthPixels: width, heightPixels: height, poses: people.map(\.pose))
    }

    /// The numbers at the end of a scene of frames at 10 Hz.
    private func numbers(
        _ settings: Tracker.Settings = Tracker.Settings(), seconds: Double, _ people: (Double) -> [Person]
    ) -> [Int] {
        var tracker = Tracker(settings)
        var last: [Int] = []
        for index in 0...Int(seconds * 10) {
            let time = Double(index) / 10
            last = tracker.follow(frame(at: time, people(time))).tracks.map(\.id)
        }
        return last
    }

    @Test(arguments: [2.0, 5, 9]) func `somebody hidden keeps their number, and may come back elsewhere`(hidden: Double)
    {
        let found = numbers(seconds: hidden + 2) { time in
            let person = Person(x: time < 1 ? 0.3 : 0.5, colour: Self.red)
            return (1..<1 + hidden).contains(time) ? [] : [person]
        }
        #expect(found == [1])
    }

    @Test func `somebody in other clothes at the same place is somebody else`() {
        let found = numbers(seconds: 6) { time in
            (1..<4).contains(time) ? [] : [Person(x: 0.3, colour: time < 1 ? Self.red : Self.blue)]
        }
        #expect(found == [2])
    }

    @Test func `whoever looks half as tall afterwards keeps the number in the same clothes alone`() {
        func found(_ colour: (UInt8, UInt8, UInt8)) -> [Int] {
            numbers(seconds: 5) { time in
                if time < 1 { return [Person(x: 0.3, colour: Self.red)] }
                return time < 3 ? [] : [Person(x: 0.3, colour: colour, size: 0.22)]
            }
        }
        #expect(found(Self.red) == [1])
        #expect(found(Self.blue) == [2])
    }

    @Test func `somebody in other clothes beside the place of the only person is somebody else at once`() {
        let found = numbers(seconds: 1.1) { time in
            [time < 1 ? Person(x: 0.3, colour: Self.red) : Person(x: 0.44, colour: Self.blue)]
        }
        #expect(found == [2])
    }

    @Test func `whoever lies down with the feet towards the camera keeps the number`() {
        let found = numbers(seconds: 1.6) { time in
            [time < 1 ? Person(x: 0.3, colour: Self.red) : Person(x: 0.38, colour: Self.blue, size: 0.3)]
        }
        #expect(found == [1])
    }

    @Test func `after the grace time a person is a stranger`() {
        let found = numbers(seconds: 14) { time in
            (1..<12).contains(time) ? [] : [Person(x: 0.3, colour: Self.red)]
        }
        #expect(found == [2])
    }

    @Test func `two hidden people who come back at each other's place are told apart by their clothes`() {
        let found = numbers(seconds: 5) { time in
            (1..<3).contains(time)
                ? []
                : [
                    Person(x: time < 1 ? 0.35 : 0.6, colour: Self.red),
                    Person(x: time < 1 ? 0.6 : 0.35, colour: Self.blue),
                ]
        }
        #expect(found == [1, 2])
    }

    @Test func `whoever comes back where they were hidden is not somebody in the same clothes who has just walked by`()
    {
        var tracker = Tracker()
        var last: [Int] = []
        for index in 0...22 {
            let time = Double(index) / 10
            // The second person walks by, hides the first one, and is gone when the first one is seen again.
            let staying = Person(x: 0.5, colour: Self.red)
            let passing = Person(x: 0.2 + 0.2 * Float(time), colour: Self.red)
            let people = time < 1 ? [staying, passing] : time < 2 ? [passing] : [staying]
            last = tracker.follow(frame(at: time, people)).tracks.map(\.id)
        }
        #expect(last == [1])
    }

    @Test func `whoever passes the place of somebody hidden in the same clothes keeps the own number`() {
        var tracker = Tracker()
        for index in 0...30 {
            let time = Double(index) / 10
            let passing = Person(x: 0.2 + 0.2 * Float(time), colour: Self.red)
            let people = time < 0.5 ? [Person(x: 0.6, colour: Self.red), passing] : [passing]
            let ids = tracker.follow(frame(at: time, people)).tracks.map(\.id)
            if time >= 0.5 { #expect(ids == [2], "\(time)") }
        }
    }

    @Test func `with strict privacy only the place tells`() {
        let strict = Tracker.Settings(comparesColours: false)
        let found = numbers(strict, seconds: 5) { time in
            (1..<3).contains(time) ? [] : [Person(x: 0.3, colour: time < 1 ? Self.red : Self.blue)]
        }
        #expect(found == [1])
    }

    @Test func `when a pose slides to whoever passes, it is theirs`() {
        var tracker = Tracker()
        for index in 0..<15 {
            let time = Double(index) / 10
            let people =
                time < 1
                ? [Person(x: 0.3, colour: Self.red), Person(x: 0.55, colour: Self.blue)]
                : [Person(x: 0.31, colour: Self.blue)]
            let tracks = tracker.follow(frame(at: time, people)).tracks
            if time >= 1 { #expect(tracks.map(\.id) == [2], "\(time)") }
        }
    }

    @Test func `a new pose on top of somebody is shown when it lasts`() {
        func seen(seconds: Double) -> Set<Int> {
            var tracker = Tracker()
            var all: Set<Int> = []
            for index in 0..<30 {
                let time = Double(index) / 10
                let ghost = Person(x: 0.45, colour: Self.red)
                let isThere = (1..<1 + seconds).contains(time)
                let people = [Person(x: 0.4, colour: Self.red)] + (isThere ? [ghost] : [])
                all.formUnion(tracker.follow(frame(at: time, people)).tracks.map(\.id))
            }
            return all
        }
        #expect(seen(seconds: 0.3) == [1])
        #expect(seen(seconds: 1) == [1, 2])
    }

    @Test func `whoever comes back on top of somebody is known when the pose has lasted`() {
        let found = numbers(seconds: 3) { time in
            let other = Person(x: 0.65, colour: Self.blue, size: 0.3)
            if time < 1 { return [Person(x: 0.2, colour: Self.red, size: 0.3), other] }
            // At first too unsure for the clothes, and too far for the place alone.
            let confidence: Float = time < 2.3 ? 0.4 : 0.9
            return time < 2 ? [other] : [Person(x: 0.6, colour: Self.red, size: 0.3, confidence: confidence), other]
        }
        #expect(found == [1, 2])
    }

    @Test func `an unsure pose does not take the number of somebody who is surely there`() {
        var tracker = Tracker()
        _ = tracker.follow(frame(at: 0, [Person(x: 0.4, colour: Self.red)]))
        let ghost = Person(x: 0.41, colour: Self.red, confidence: 0.3)
        let tracks = tracker.follow(frame(at: 0.1, [ghost, Person(x: 0.44, colour: Self.red)])).tracks
        #expect(tracks.first { $0.id == 1 }?.pose[.neck].confidence == 0.9)
    }

    @Test func `a pose that was not measured keeps its track and changes nothing`() {
        var tracker = Tracker()
        let walking = (0..<10).map { frame(at: Double($0) / 10, [Person(x: 0.3 + Float($0) * 0.02, colour: Self.red)]) }
        for frame in walking { _ = tracker.follow(frame) }
        let held = PosedFrame(
            index: 10, time: 1, image: nil, widthPixels: 160, heightPixels: 120, poses: walking[9].poses,
            isMeasured: [false])
        let tracks = tracker.follow(held)
        #expect(tracks.tracks.map(\.id) == [1] && tracks.tracks.map(\.isMeasured) == [false] && tracks.measured.isEmpty)
        let next = tracker.follow(frame(at: 1.1, [Person(x: 0.52, colour: Self.red)]))
        #expect(next.tracks.map(\.id) == [1])
    }
}
