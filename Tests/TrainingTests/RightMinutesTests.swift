import Actions
import Foundation
import Testing
import Training

/// Two people who squat for ten seconds each, ten pictures a second, five repetitions of two seconds. All figures were worked
/// out by hand.
@Suite struct RightMinutesTests {
    private typealias Person = IdentityStream.Person
    private typealias ReportedSet = RightMinutes.ReportedSet

    private func person(_ identity: Int, at x: Double) -> Person {
        Person(identity: identity, joints: (0..<18).map { SIMD2(x, 0.3 + 0.5 * Double($0) / 17) })
    }

    private func stream(_ people: (Double) -> [Person]) -> IdentityStream {
        let pictures = (0..<100).map { IdentityStream.Picture(time: Double($0) / 10, people: people(Double($0) / 10)) }
        return IdentityStream(pictures: pictures, intervalSeconds: 0.1, aspect: 4.0 / 3)
    }

    private func squats(of identity: Int) -> IdentityStream.Exercise {
        IdentityStream.Exercise(
            identity: identity, label: "squat", start: 0, end: 10,
            repetitions: (0..<5).map { (number: Int) -> ClosedRange<Double> in
                Double(2 * number)...Double(2 * number + 2)
            })
    }

    private func set(
        _ track: Int, _ start: Double = 0, _ end: Double = 10, reps: Int? = 5, label: String = "squat"
    ) -> ReportedSet {
        ReportedSet(track: track, label: label, start: start, end: end, reps: reps)
    }

    /// The figures of sessions beside tracks 1 and 2, which may exchange places at some time.
    private func figures(_ sessions: [[ReportedSet]], exchangedAt time: Double = 99) throws -> TrackingFigures {
        var truth = stream { _ in [person(7, at: 0.3), person(8, at: 1)] }
        truth.exercises = [squats(of: 7), squats(of: 8)]
        let tracks = stream {
            $0 < time ? [person(1, at: 0.3), person(2, at: 1)] : [person(2, at: 0.3), person(1, at: 1)]
        }
        var evaluation = TrackingEvaluation()
        try evaluation.add("clip", tracks: tracks, truth: truth, sessions: .init(live: sessions, linked: sessions))
        return evaluation.total
    }

    private func isNear(_ value: Double?, _ expected: Double) -> Bool { abs((value ?? .infinity) - expected) < 0.006 }

    @Test func `a session for each person is right, and so is one repetition more`() throws {
        for reps in [4, 5, 6] {
            let found = try figures([[set(1, reps: reps)], [set(2)]])
            #expect(found.rightMinutes == 1 && found.foreignMinutes == 0 && found.sessionsPerPerson == 1)
        }
        let held = try figures([[set(1, reps: nil)], [set(2)]])
        #expect(held.rightMinutes == 1)
    }

    @Test func `exercise that cannot be seen does not count`() throws {
        // The second person squats behind a rack for the last four seconds, and nobody reports it.
        var truth = stream { time in
            var hidden = person(8, at: 1)
            hidden.visibleShare = time < 6 ? 1 : 0.3
            return [person(7, at: 0.3), hidden]
        }
        truth.exercises = [squats(of: 7), squats(of: 8)]
        let tracks = stream { _ in [person(1, at: 0.3), person(2, at: 1)] }
        var evaluation = TrackingEvaluation()
        let sessions = [[set(1)], [set(2, 0, 6, reps: 3)]]
        try evaluation.add("clip", tracks: tracks, truth: truth, sessions: .init(live: sessions, linked: sessions))
        #expect(evaluation.total.rightMinutes == 1)
        #expect(evaluation.text.contains("0.1 minutes here"), "four seconds")
    }

    @Test func `a wrong count, another label, and no set are not right`() throws {
        for other in [[set(1, reps: 7)], [set(1, label: "lunge")], []] {
            let found = try figures([other, [set(2)]])
            #expect(isNear(found.rightMinutes, 0.5) && found.foreignMinutes == 0, "\(other)")
        }
        #expect(try figures([]).rightMinutes == 0 && figures([]).foreignMinutes == nil)
    }

    @Test func `of two sessions of a person the longer one is right, and both in one session are`() throws {
        let (first, second) = (set(1, 0, 6, reps: 3), set(1, 6.1, 10, reps: 2))
        let cut = try figures([[first], [second], [set(2)]])
        // Six seconds and half of one of ten, and all of the other person's.
        #expect(isNear(cut.rightMinutes, 16.5 / 20) && cut.sessionsPerPerson == 1.5 && cut.foreignMinutes == 0)
        let joined = try figures([[first, second], [set(2)]])
        #expect(joined.rightMinutes == 1 && joined.sessionsPerPerson == 1)
    }

    @Test func `a session that goes on with another person holds foreign minutes`() throws {
        // The tracks exchange their people at 7 s, and the sets follow the tracks.
        let found = try figures([[set(1)], [set(2)]], exchangedAt: 7)
        #expect(isNear(found.foreignMinutes, 0.3) && isNear(found.rightMinutes, 0.7) && found.sessionsPerPerson == 2)
        // Two people in one session: the second one's minutes are foreign, and a person has one session.
        let mixed = try figures([[set(1), set(2, 0, 4, reps: 2)]])
        #expect(isNear(mixed.foreignMinutes, 4.0 / 14) && mixed.sessionsPerPerson == 1)
    }

    @Test func `a person who was known again has one session after linking, and had two before`() throws {
        var truth = stream { _ in [person(7, at: 0.3)] }
        truth.exercises = [squats(of: 7)]
        let tracks = stream { [person($0 < 6 ? 1 : 2, at: 0.3)] }
        let first = set(1, 0, 6, reps: 3)
        var evaluation = TrackingEvaluation()
        try evaluation.add(
            "clip", tracks: tracks, truth: truth,
            sessions: .init(
                live: [[first], [set(2, 6.1, 10, reps: 2)]], linked: [[first, set(1, 6.1, 10, reps: 2)]],
                links: [PersonLink(from: 2, to: 1, since: 6)]))
        let total = evaluation.total
        #expect(total.rightMinutes == 1 && total.sessionsPerPerson == 1)
        #expect(isNear(total.liveRightMinutes, 0.66), "6.6 of 10 s: a set may end half a second early")
        #expect(evaluation.text.contains("live") && evaluation.text.contains("66 %"))
    }

    @Test func `after a pause in which a session ends the truth has two as well`() throws {
        var truth = stream { _ in [person(7, at: 0.3)] }
        truth.exercises = [squats(of: 7)]
        truth.exercises[0].end = 4
        truth.exercises[0].repetitions.removeAll { $0.lowerBound >= 4 }
        var late = truth.exercises[0]
        (late.start, late.end, late.repetitions) = (40, 44, [40...42, 42...44])
        truth.exercises.append(late)
        truth.pictures += stream { _ in [person(7, at: 0.3)] }.pictures.map {
            .init(time: $0.time + 40, people: $0.people)
        }
        let sets = [[set(1, 0, 4, reps: 2)], [set(1, 40, 44, reps: 2)]]
        var evaluation = TrackingEvaluation()
        var tracks = truth
        for index in tracks.pictures.indices { tracks.pictures[index].people = [person(1, at: 0.3)] }
        try evaluation.add("clip", tracks: tracks, truth: truth, sessions: .init(live: sets, linked: sets))
        #expect(evaluation.total.rightMinutes == 1 && evaluation.total.sessionsPerPerson == 1)
    }

    @Test func `without exercises there are no such figures`() throws {
        var evaluation = TrackingEvaluation()
        try evaluation.add(
            "clip", tracks: stream { _ in [] }, truth: stream { _ in [person(7, at: 0.3)] },
            sessions: .init(live: [], linked: [[set(1)]]))
        #expect(evaluation.total.rightMinutes == nil && !evaluation.text.contains("foreign"))
    }

    @Test func `a rendered truth tells the exercises with their repetitions`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let truth = try IdentityStream(contentsOf: tests.appending(path: "Fixtures/clips/crowd.json"))
        #expect(truth.exercises.map(\.label) == ["burpee", "push_up"] && truth.exercises.map(\.identity) == [0, 1])
        #expect(truth.exercises.allSatisfy { $0.repetitions.count == 1 && $0.start < $0.end })
    }
}
