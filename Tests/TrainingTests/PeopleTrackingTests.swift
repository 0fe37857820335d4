import Foundation
import TestSupport
import Testing
import Training

/// Tracks compared with labels by hand, in pictures of 200 by 100 pixels. All figures were worked out by hand.
@Suite struct PeopleTrackingTests {
    private typealias Row = PeopleLabels.Row

    /// Two people for two seconds: one with a box of half the height, one a point.
    private func truth(activity: String? = nil, hidden: Double? = nil) -> IdentityStream {
        let rows = (0..<5).flatMap { moment in
            let time = Double(moment) / 2
            return [
                Row(time: time, person: 1, place: [0.25, 0.5], size: [0.1, 0.5], activity: activity),
                Row(time: time, person: 2, place: [0.75, 0.5], visibleShare: time == hidden ? 0 : 1),
            ]
        }
        return IdentityStream(PeopleLabels(video: "gym.mp4", width: 200, height: 100, rows: rows))
    }

    /// A body of 0.4 of the height, so wide as high, around a middle.
    private func body(_ track: Int, x: Double, y: Double = 0.5) -> IdentityStream.Person {
        let corners: [SIMD2<Double>?] = [[x - 0.2, y - 0.2], [x + 0.2, y + 0.2]]
        return IdentityStream.Person(identity: track, joints: corners + Array(repeating: nil, count: 16))
    }

    /// Ten pictures a second.
    private func tracks(_ people: (Double) -> [IdentityStream.Person]) -> IdentityStream {
        let pictures = (0...20).map {
            IdentityStream.Picture(time: Double($0) / 10, people: people(Double($0) / 10))
        }
        return IdentityStream(pictures: pictures, intervalSeconds: 0.1, aspect: 2)
    }

    private func figures(
        _ tracks: IdentityStream, _ truth: IdentityStream? = nil, sets: [RightMinutes.ReportedSet]? = nil
    ) throws -> (figures: TrackingFigures, counts: TrackingCounts) {
        var evaluation = TrackingEvaluation()
        try evaluation.add(
            "gym", tracks: tracks, truth: truth ?? self.truth(),
            sessions: sets.map { sets in .init(live: sets.map { [$0] }, linked: sets.map { [$0] }) })
        return (evaluation.total, evaluation.clips[0].counts)
    }

    @Test func `only the labelled moments count, half a second each`() throws {
        let (figures, counts) = try figures(tracks { _ in [body(1, x: 0.5), body(2, x: 1.5)] })
        #expect(counts.persons == 10 && counts.tracked == 10 && figures.idf1 == 1 && figures.missed == 0)
        #expect(abs(counts.personMinutes - 5.0 / 60) < 1e-9 && figures.foundInOneSecond == 1)
    }

    @Test(arguments: [(0.24, 0.19, 0), (0.26, 0.19, 5), (0.24, 0.21, 5)])
    func `a track is on a person up to half the box away, or half its own of a point`(
        first: Double, second: Double, missed: Int
    ) throws {
        let (_, counts) = try figures(tracks { _ in [body(1, x: 0.5 + first), body(2, x: 1.5, y: 0.5 - second)] })
        #expect(counts.misses == missed && counts.falsePositives == missed)
    }

    @Test func `a switch is found, and who is hidden is not missed`() throws {
        let people = tracks { $0 < 1 ? [body(1, x: 0.5), body(2, x: 1.5)] : [body(1, x: 0.5), body(7, x: 1.5)] }
        let (found, _) = try figures(people)
        #expect(found.switches == 1 && found.tracksPerPerson == 1.5)
        let gone = tracks { abs($0 - 0.5) < 0.3 ? [body(1, x: 0.5)] : [body(1, x: 0.5), body(2, x: 1.5)] }
        #expect(try figures(gone, truth(hidden: 0.5)).figures.idf1 == 1)
        #expect(try figures(gone).counts.misses == 1)
    }

    @Test func `between near rows a person is on the line, between far ones out of view`() throws {
        let rows =
            [
                Row(time: 0, person: 1, place: [0.2, 0.5], size: [0.1, 0.4]),
                Row(time: 1, person: 1, place: [0.4, 0.5], size: [0.1, 0.6]),
                Row(time: 3, person: 1, place: [0.4, 0.5]),
            ] + (0...6).map { Row(time: Double($0) / 2, person: 2, place: [0.9, 0.5]) }
        let stream = IdentityStream(PeopleLabels(video: "gym.mp4", width: 200, height: 100, rows: rows))
        let found = stream.pictures.map { $0.people.first { $0.identity == 1 }?.outline }
        #expect(found.map { $0 == nil } == [false, false, false, true, true, true, false])
        let between = try #require(found[1])
        #expect(abs(between.centre.x - 0.6) < 1e-9 && abs((between.size?.y ?? 0) - 0.5) < 1e-9)
    }

    @Test func `exercise lasts until the next row, and its repetitions are not compared`() throws {
        let truth = truth(activity: "squat")
        #expect(
            truth.exercises == [
                IdentityStream.Exercise(identity: 1, label: "squat", start: 0, end: 2.5, repetitions: [])
            ])
        let people = tracks { _ in [body(1, x: 0.5), body(2, x: 1.5)] }
        for (label, right) in [("squat", 1.0), ("lunge", 0)] {
            let set = RightMinutes.ReportedSet(track: 1, label: label, start: 0, end: 2, reps: 40)
            #expect(try figures(people, truth, sets: [set]).figures.rightMinutes == right)
        }
    }

    @Test(arguments: ["squats", "hug", "basketball", "boxing", "vtest"])
    func `our own labels can be read`(name: String) throws {
        let file = URL(filePath: "Tests/Fixtures/people/\(name).people.csv")
        let stream = try IdentityStream(contentsOf: file)
        #expect(stream.pictures.count >= 6 && stream.pictures.allSatisfy { !$0.people.isEmpty })
        #expect((0.5...1).contains(stream.intervalSeconds))
    }
}
