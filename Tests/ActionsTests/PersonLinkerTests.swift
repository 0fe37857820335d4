import Actions
import Capture
import Foundation
import Poses
import Testing

/// People whom the tracker lost and who come back under another number, through the whole chain.
@Suite struct PersonLinkerTests {
    private enum Shirt { case red, green }

    /// Somebody who squats every two seconds, from one moment to another.
    private struct Visit {
        var track: Int
        var from, to: Double
        var shirt = Shirt.red
        /// How far to the right of the middle, in picture widths.
        var x: Float = 0
        /// From when the clothes can be read.
        var dressed = 0.0
        var height: Float = 1
    }

    private func clothes(_ shirt: Shirt, _ pose: Pose) -> ClothingColours? {
        let colour: [UInt8] = shirt == .red ? [190, 30, 40] : [30, 140, 60]
        let image = Image(
            widthPixels: 120, heightPixels: 160, rgb: (0..<120 * 160).flatMap { _ in colour })
        return ClothingColours(pose, in: image)
    }

    private func frames(_ visits: [Visit], seconds: Double) throws -> [TrackedFrame] {
        let standing = Pose(StickFigure.pose())
        let colours = [Shirt.red: clothes(.red, standing), .green: clothes(.green, standing)]
        return (0..<Int(seconds * 30)).map { index in
            let time = Double(index) / 30
            let tracks = visits.filter { time >= $0.from && time < $0.to }.map { visit in
                let depth = StickFigure.depth(time - visit.from, rest: 1, period: 2, count: 1000)
                let pose = Pose(StickFigure.pose(squat: depth)).moved(by: visit.x, scaled: visit.height)
                var track = Track(id: visit.track, pose: pose)
                track.clothes = time - visit.from >= visit.dressed ? colours[visit.shirt] ?? nil : nil
                return track
            }
            return TrackedFrame(
                index: index, time: time, image: nil, widthPixels: 480, heightPixels: 640, tracks: tracks,
                prominent: tracks.first?.id)
        }
    }

    private func run(
        _ visits: [Visit], seconds: Double
    ) throws -> (results: [RecognitionChain.FrameResult], events: [SessionEvent]) {
        let classifier = try ModelFileExample(labels: ["lunge", "squat", "none"], biases: [0, 9, 0]).classifier()
        var chain = RecognitionChain(
            classifier: classifier, subjects: .everyone, camera: "rack1", origin: Date(timeIntervalSince1970: 0))
        let results = try frames(visits, seconds: seconds).map { try chain.receive($0) }
        return (results, results.flatMap(\.events) + chain.end(.sourceEnded).events)
    }

    /// The sessions as they stand at the end, by their beginning.
    private func sessions(_ events: [SessionEvent]) -> [Session] {
        var all: [String: Session] = [:]
        for event in events {
            all[event.session.id] = event.session
            if case .merged(_, let absorbed) = event { all[absorbed.id] = nil }
        }
        return all.values.sorted { $0.start < $1.start }
    }

    private let before = Visit(track: 1, from: 0, to: 12)

    @Test func `somebody who comes back within the idle time goes on with number, session and sets`() throws {
        let (results, events) = try run([before, Visit(track: 2, from: 27, to: 39)], seconds: 45)
        #expect(results.flatMap(\.links).map { [$0.from, $0.to] } == [[2, 1]])
        let late = results.filter { $0.frame.time > 28 && $0.frame.time < 38 }
        #expect(late.allSatisfy { $0.frame.tracks.map(\.id) == [1] && $0.frame.prominent == 1 })
        #expect(Set(late.flatMap(\.predictions).compactMap(\.track)) == [1])
        let all = sessions(events)
        #expect(all.count == 1 && all.first?.sets.map(\.number) == [1, 2] && all.first?.track == 1)
        #expect(all.first?.sets.allSatisfy { (5...6).contains($0.reps) } == true)
        #expect(all.first?.actions.first?.reps == all.first?.sets.reduce(0) { $0 + $1.reps })
    }

    @Test func `two sessions that were told become one when the clothes are seen, also after the first has ended`()
        throws
    {
        // The first session ends at 42 s, the clothes are read at 43.5 s.
        let (results, events) = try run([before, Visit(track: 2, from: 28, to: 55, dressed: 15.5)], seconds: 60)
        let merges = events.compactMap { event -> (Session, AbsorbedSession)? in
            if case .merged(let session, let absorbed) = event { (session, absorbed) } else { nil }
        }
        let (session, absorbed) = try #require(merges.first)
        #expect(merges.count == 1 && absorbed.setOffset == 1 && absorbed.id != session.id)
        #expect(session.endReason == nil && session.sets.map(\.number) == [1, 2])
        let told = events.filter { if case .started = $0 { true } else { false } }.map(\.session.id)
        #expect(told == [session.id, absorbed.id])
        let all = sessions(events)
        #expect(all.map(\.id) == [session.id] && all[0].endReason == .sourceEnded)
        // What was credited to both is in one, and a repetition is counted once.
        #expect(
            all[0].actions[0].frames
                == results.flatMap(\.predictions).filter { $0.label == "squat" }.reduce(0) { $0 + $1.frames })
        #expect(all[0].sets.map(\.reps).reduce(0, +) == all[0].actions[0].reps)
        #expect((12...14).contains(all[0].sets[1].reps))
    }

    @Test func `other clothes, another height or more than the idle time is another session`() throws {
        for visit in [
            Visit(track: 2, from: 27, to: 39, shirt: .green), Visit(track: 2, from: 27, to: 39, height: 0.7),
            Visit(track: 2, from: 27, to: 39, dressed: 100), Visit(track: 2, from: 80, to: 92),
        ] {
            let (_, events) = try run([before, visit], seconds: 95)
            #expect(sessions(events).map { $0.sets.count } == [1, 1], "\(visit)")
        }
    }

    @Test func `people in view at once are two, and each gets their own number back`() throws {
        let visits = [
            Visit(track: 1, from: 0, to: 12, x: -0.2), Visit(track: 2, from: 0, to: 12, shirt: .green, x: 0.2),
            Visit(track: 3, from: 26, to: 38, shirt: .green, x: 0.2), Visit(track: 4, from: 27, to: 38, x: -0.2),
        ]
        let (results, events) = try run(visits, seconds: 45)
        #expect(results.flatMap(\.links).map { [$0.from, $0.to] } == [[3, 2], [4, 1]])
        #expect(sessions(events).map(\.sets.count) == [2, 2])
        let twins = [Visit(track: 1, from: 0, to: 40, x: -0.2), Visit(track: 2, from: 1, to: 40, x: 0.2)]
        #expect(try run(twins, seconds: 40).results.flatMap(\.links).isEmpty)
    }

    @Test func `two tracks that exchange their people are cut, and each person gets their own number back`() throws {
        let visits = [
            Visit(track: 1, from: 0, to: 15, x: -0.2), Visit(track: 2, from: 0, to: 15, shirt: .green, x: 0.2),
            Visit(track: 1, from: 15, to: 40, shirt: .green, x: 0.2), Visit(track: 2, from: 15, to: 40, x: -0.2),
        ]
        let (results, events) = try run(visits, seconds: 40)
        let late = results.filter { $0.frame.time > 25 }
        #expect(
            late.allSatisfy { $0.frame.tracks.map(\.id) == [2, 1] }, "the tracker's first track is the second person")
        #expect(results.flatMap(\.links).count == 2)
        #expect(sessions(events).count == 2 && Set(sessions(events).map(\.track)) == [1, 2])
        let splits = events.compactMap { event -> (track: Int, seconds: Double)? in
            guard case .split(let session, let moment) = event else { return nil }
            return (session.track, moment.timeIntervalSince1970)
        }
        #expect(Set(splits.map(\.track)) == [1, 2], "both were in a session")
        #expect(splits.allSatisfy { (15..<16).contains($0.seconds) }, "\(splits)")
    }

    @Test func `when the light changes nobody is somebody else`() throws {
        let visits = [
            Visit(track: 1, from: 0, to: 15, x: -0.2), Visit(track: 2, from: 0, to: 15, x: 0.2),
            Visit(track: 1, from: 15, to: 40, shirt: .green, x: -0.2),
            Visit(track: 2, from: 15, to: 40, shirt: .green, x: 0.2),
        ]
        for visits in [visits, [visits[0], visits[2]]] {
            let results = try run(visits, seconds: 40).results
            #expect(Set(results.flatMap(\.frame.tracks).map(\.id)) == Set(visits.map(\.track)))
        }
    }

    @Test func `a number that the tracker uses again while its person has another track is a new one`() throws {
        let visits = [
            before, Visit(track: 2, from: 27, to: 60), Visit(track: 1, from: 40, to: 60, shirt: .green, x: 0.3),
        ]
        let results = try run(visits, seconds: 58).results
        #expect(results.last?.frame.tracks.map(\.id) == [1, 3])
        #expect(results.allSatisfy { Set($0.frame.tracks.map(\.id)).count == $0.frame.tracks.count })
    }
}
