import Actions
import Capture
import Foundation
import Poses
import Testing

/// People whom two cameras see at once, through the chains of both.
@Suite struct SharedPeopleTests {
    /// Somebody who squats now and then.
    private struct Person {
        /// The times at which they squat: from, to, and seconds a squat.
        var squats: [(from: Double, to: Double, period: Double)]
        /// From when to when each camera sees them.
        var front: [ClosedRange<Double>], side: [ClosedRange<Double>]
        var place: Float = 0
        /// Other numbers that the side camera gives them at some times.
        var sideTracks: [ClosedRange<Double>: Int] = [:]
        var clothes: ClothingColours?

        func depth(_ time: Double) -> Float {
            guard let one = squats.first(where: { time >= $0.from && time < $0.to }) else { return 0 }
            return StickFigure.depth(
                time, rest: one.from, period: one.period, count: Int((one.to - one.from) / one.period))
        }
    }

    /// What came of both cameras.
    private struct Outcome {
        var events: [SessionEvent] = []
        var doubles = 0

        /// The sessions as they stand at the end, by their beginning.
        var sessions: [Session] {
            var all: [String: Session] = [:]
            for event in events {
                if case .handedOver = event { continue }
                all[event.session.id] = event.session
                if case .merged(_, let absorbed) = event { all[absorbed.id] = nil }
            }
            return all.values.sorted { $0.start < $1.start }
        }
    }

    private func frame(_ people: [Person], _ camera: String, _ index: Int) -> TrackedFrame {
        let time = Double(index) / 30
        let tracks = people.enumerated().compactMap { number, person -> Track? in
            let seen = camera == "front" ? person.front : person.side
            guard seen.contains(where: { $0.contains(time) }) else { return nil }
            // From the side a person is narrow.
            let pose = Pose(
                StickFigure.pose(squat: person.depth(time)).enumerated().map { index, value in
                    camera == "side" && index % 3 == 0 ? 0.5 + (value - 0.5) * 0.4 : value
                }
            ).moved(by: person.place, scaled: camera == "side" ? 0.7 : 1)
            let other = camera == "side" ? person.sideTracks.first { $0.key.contains(time) }?.value : nil
            var track = Track(id: other ?? 1 + number, pose: pose)
            // They are known again when a session has been told of the other number.
            track.clothes = other != nil && time < 33 ? nil : person.clothes
            return track
        }
        return TrackedFrame(
            index: index, time: time, image: nil, widthPixels: 480, heightPixels: 640, tracks: tracks,
            prominent: tracks.first?.id)
    }

    private func run(
        _ people: [Person], seconds: Double, frontEnds: Double = .infinity,
        overlaps: [String: [String]] = ["front": ["side"]]
    ) throws -> Outcome {
        let classifier = try ModelFileExample(labels: ["lunge", "squat", "none"], biases: [0, 9, 0]).classifier()
        var chains: [String: RecognitionChain] = [:]
        // The clocks of the sources begin at different times.
        let origins = ["front": 1000.0, "side": 900].mapValues(Date.init(timeIntervalSince1970:))
        for (camera, origin) in origins {
            chains[camera] = RecognitionChain(
                classifier: classifier, subjects: .everyone, camera: camera, origin: origin)
        }
        var (shared, outcome) = (SharedPeople(overlaps: overlaps), Outcome())
        for index in 0..<Int(seconds * 30) {
            for camera in ["front", "side"] {
                guard var chain = chains[camera], let origin = origins[camera] else { continue }
                if camera == "front", Double(index) / 30 >= frontEnds {
                    outcome.events += shared.close(&chain, .cameraLost, camera: camera)
                    chains[camera] = nil
                    continue
                }
                let shown = frame(people, camera, index)
                let offset = 1000 - origin.timeIntervalSince1970
                let moved = TrackedFrame(
                    index: shown.index, time: shown.time + offset, image: nil, widthPixels: 480, heightPixels: 640,
                    tracks: shown.tracks, prominent: shown.prominent)
                let result = shared.exchange(try chain.receive(moved), of: &chain, camera: camera, origin: origin)
                chains[camera] = chain
                outcome.events += result.events
                outcome.doubles = max(outcome.doubles, result.doubles.count)
            }
        }
        for camera in chains.keys.sorted() {
            guard var chain = chains[camera] else { continue }
            outcome.events += shared.close(&chain, .sourceEnded, camera: camera)
        }
        return outcome
    }

    private let always = [0.0...1000]

    private var clothes: ClothingColours? {
        let image = Image(
            widthPixels: 120, heightPixels: 160, rgb: (0..<120 * 160).flatMap { _ in [190, 30, 40] as [UInt8] })
        return ClothingColours(Pose(StickFigure.pose()), in: image)
    }

    @Test func `somebody whom two cameras see has one session with their sets`() throws {
        let seen = [0...15.0, 27...1000]
        let outcome = try run([Person(squats: [(2, 14, 2), (28, 36, 2)], front: seen, side: seen)], seconds: 40)
        #expect(outcome.sessions.count == 1)
        let session = try #require(outcome.sessions.first)
        #expect(session.sets.map(\.reps) == [6, 4])
        #expect(abs(session.start.timeIntervalSince1970 - 1002) < 2.5)
        #expect(outcome.doubles == 1)
        let ended = outcome.events.filter { if case .ended = $0 { true } else { false } }
        #expect(ended.count == 1, "it ends once")
    }

    @Test func `without overlap each camera has a session`() throws {
        let person = Person(squats: [(2, 14, 2)], front: always, side: always)
        #expect(try run([person], seconds: 20, overlaps: [:]).sessions.map { $0.sets.map(\.reps) } == [[6], [6]])
    }

    @Test func `a set that the counting camera does not see is in the session`() throws {
        let person = Person(
            squats: [(2, 14, 2), (28, 38, 2), (48, 56, 2)], front: [0...15, 47...1000], side: [0...15, 27...39])
        let outcome = try run([person], seconds: 60)
        #expect(outcome.sessions.map { $0.sets.map(\.reps) } == [[6, 5, 4]])
        #expect(outcome.sessions.map { Set($0.sets.map(\.number)).count } == [3], "each set has its number")
        #expect(outcome.sessions.first?.actions.first { $0.label == "squat" }?.reps == 15)
    }

    @Test func `people who squat at different times stay apart`() throws {
        let people = [
            Person(squats: [(2, 26, 2)], front: always, side: [], place: -0.2),
            Person(squats: [(2.7, 26, 2.6)], front: [], side: always, place: 0.2),
        ]
        let outcome = try run(people, seconds: 30)
        #expect(outcome.sessions.count == 2 && outcome.doubles == 0)
    }

    @Test func `two who squat in time with each other are not matched`() throws {
        let people = [-0.2, 0.2].map { place in
            Person(squats: [(2, 26, 2)], front: always, side: always, place: Float(place))
        }
        let outcome = try run(people, seconds: 30)
        #expect(outcome.doubles == 0, "nobody knows who is who")
        #expect(outcome.sessions.count == 4)
    }

    @Test func `whoever is lost by the other camera and known again there goes on in the same session`() throws {
        let (from, to) = (16.0, 27.0)
        var person = Person(
            squats: [(2, 14, 2), (28, 46, 2)], front: [0...15, 38...1000], side: [0...from, to...1000])
        person.sideTracks = [to...1000: 7]
        person.clothes = clothes
        let outcome = try run([person], seconds: 50)
        #expect(outcome.sessions.count == 1)
        var absorbed: Set<String> = []
        for event in outcome.events {
            #expect(!absorbed.contains(event.session.id), "nothing is told of a session that is a part of another one")
            if case .merged(_, let other) = event { absorbed.insert(other.id) }
        }
        #expect(absorbed.count == 2, "that of each number")
    }

    @Test func `when the counting camera is lost the other one counts`() throws {
        let person = Person(squats: [(2, 42, 2)], front: always, side: always)
        let outcome = try run([person], seconds: 50, frontEnds: 22)
        #expect(outcome.sessions.map(\.camera) == ["front", "side"])
        #expect(outcome.sessions.map(\.endReason) == [.cameraLost, .sourceEnded])
        let reps = outcome.sessions.flatMap(\.sets).map(\.reps).reduce(0, +)
        #expect((19...21).contains(reps), "none is counted twice: \(reps)")
    }
}
