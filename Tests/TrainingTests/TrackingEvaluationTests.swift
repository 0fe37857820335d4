import Testing
import Training

/// Two people, ten pictures a second for two seconds. All figures were worked out by hand.
@Suite struct TrackingEvaluationTests {
    private typealias Person = IdentityStream.Person

    /// Somebody who stands at x: a body of half the picture's height, so a track is on it up to 0.175 beside it.
    private func person(_ identity: Int, at x: Double, visible: Double = 1) -> Person {
        let joints = (0..<18).map { SIMD2(x, 0.3 + 0.5 * Double($0) / 17) }
        return Person(identity: identity, joints: joints, visibleShare: visible)
    }

    private func stream(
        _ count: Int = 20, interval: Double = 0.1, _ people: (Int) -> [Person]
    ) -> IdentityStream {
        let pictures = (0..<count).map { IdentityStream.Picture(time: Double($0) * interval, people: people($0)) }
        return IdentityStream(pictures: pictures, intervalSeconds: interval, aspect: 4.0 / 3)
    }

    private func both(_ first: Int = 1, _ second: Int = 2) -> [Person] {
        [person(first, at: 0.3), person(second, at: 1)]
    }

    private func evaluated(
        _ tracks: IdentityStream, truth: IdentityStream? = nil
    ) throws -> (figures: TrackingFigures, counts: TrackingCounts) {
        var evaluation = TrackingEvaluation()
        try evaluation.add("clip", tracks: tracks, truth: truth ?? stream { _ in both(7, 8) })
        return (evaluation.total, evaluation.clips[0].counts)
    }

    private func isNear(_ value: Double?, _ expected: Double) -> Bool { abs((value ?? .infinity) - expected) < 1e-9 }

    @Test func `perfect tracks have perfect figures`() throws {
        let (figures, counts) = try evaluated(stream { _ in both() })
        #expect(counts.persons == 40 && counts.tracked == 40 && counts.matches == 40 && counts.identityMatches == 40)
        #expect(figures.idf1 == 1 && figures.mota == 1 && figures.switches == 0 && figures.missed == 0)
        #expect(figures.falsePeoplePerMinute == 0 && figures.meanDistance == 0)
        #expect(figures.foundInOneSecond == 1 && figures.tracksPerPerson == 1)
        #expect(isNear(counts.minutes, 2.0 / 60) && isNear(counts.personMinutes, 4.0 / 60))
        // The stays last 1.9 s, so nobody can say who was found in two.
        #expect(figures.foundInTwoSeconds == nil && figures.followedAfterTwoSeconds == nil)
    }

    @Test func `one switch costs half a person's identity`() throws {
        let (figures, counts) = try evaluated(stream { both($0 < 10 ? 1 : 3) })
        #expect(counts.switches == 1 && counts.misses == 0 && counts.falsePositives == 0)
        // 20 pictures of one person and 10 of the other have the right number: 2 · 30 / (40 + 40).
        #expect(isNear(figures.idf1, 0.75) && isNear(figures.mota, 1 - 1.0 / 40))
        // One in four seconds of people is 150 in ten minutes.
        #expect(isNear(figures.switchesPerTenPersonMinutes, 150) && figures.tracksPerPerson == 1.5)
    }

    @Test func `two people who exchange their numbers are two switches`() throws {
        let (figures, _) = try evaluated(stream { $0 < 10 ? both(1, 2) : both(2, 1) })
        #expect(figures.switches == 2 && isNear(figures.idf1, 0.5) && isNear(figures.mota, 0.95))
    }

    @Test func `one miss`() throws {
        let (figures, counts) = try evaluated(stream { $0 == 5 ? [person(2, at: 1)] : both() })
        #expect(counts.misses == 1 && counts.falsePositives == 0 && counts.switches == 0)
        #expect(isNear(figures.idf1, 78.0 / 79) && isNear(figures.mota, 39.0 / 40) && isNear(figures.missed, 1.0 / 40))
    }

    @Test func `one false person`() throws {
        let (figures, counts) = try evaluated(stream { both() + ($0 == 3 ? [person(9, at: 0.65)] : []) })
        #expect(counts.falsePositives == 1 && counts.falseTracks == 1 && counts.misses == 0)
        #expect(isNear(figures.idf1, 80.0 / 81) && isNear(figures.mota, 39.0 / 40))
        // One in two seconds is 30 a minute; a tenth of a second in two is three seconds a minute.
        #expect(isNear(figures.falsePeoplePerMinute, 30) && isNear(figures.falseSecondsPerMinute, 3))
    }

    @Test func `a track beyond the limit is a miss and a false person`() throws {
        let near = try evaluated(stream { _ in [person(1, at: 0.3 + 0.17), person(2, at: 1)] })
        #expect(near.figures.missed == 0 && isNear(near.figures.meanDistance, 0.17))
        let far = try evaluated(stream { _ in [person(1, at: 0.3 + 0.18), person(2, at: 1)] })
        #expect(far.counts.misses == 20 && far.counts.falsePositives == 20 && far.counts.falseTracks == 1)
    }

    @Test func `somebody who cannot be seen is neither missed nor false`() throws {
        let truth = stream { picture in
            [person(7, at: 0.3, visible: (8..<12).contains(picture) ? 0.1 : 1), person(8, at: 1)]
        }
        let followed = try evaluated(stream { _ in both() }, truth: truth)
        let lost = try evaluated(stream { (8..<12).contains($0) ? [person(2, at: 1)] : both() }, truth: truth)
        for (figures, counts) in [followed, lost] {
            #expect(counts.persons == 36 && counts.tracked == 36 && figures.idf1 == 1 && figures.mota == 1)
        }
    }

    @Test(arguments: [(hidden: 8, switches: 1, stays: 2), (hidden: 12, switches: 0, stays: 3)])
    func `hidden for ten seconds is the same person, longer is another`(
        hidden: Int, switches: Int, stays: Int
    ) throws {
        // One picture a second; afterwards the track has another number.
        let truth = stream(40, interval: 1) { picture in
            [person(7, at: 0.3, visible: (10..<10 + hidden).contains(picture) ? 0 : 1), person(8, at: 1)]
        }
        let tracks = stream(40, interval: 1) { picture in
            picture < 10 ? both() : picture < 10 + hidden ? [person(2, at: 1)] : both(3)
        }
        let (figures, counts) = try evaluated(tracks, truth: truth)
        #expect(counts.switches == switches && counts.stays.count == stays)
        #expect((figures.idf1 == 1) == (switches == 0))
    }

    @Test func `a track that was on somebody stays on them while it is near enough`() throws {
        let tracks = stream { picture in
            [person(1, at: 0.35), person(2, at: 1)] + (picture < 10 ? [] : [person(3, at: 0.3)])
        }
        let (_, counts) = try evaluated(tracks)
        #expect(counts.switches == 0 && counts.misses == 0 && counts.falsePositives == 10)
    }

    @Test func `how soon people are found`() throws {
        let truth = stream(40) { _ in both(7, 8) }
        let (figures, _) = try evaluated(stream(40) { $0 < 15 ? [person(2, at: 1)] : both() }, truth: truth)
        #expect(figures.foundInOneSecond == 0.5 && figures.foundInTwoSeconds == 1)
        #expect(figures.followedAfterTwoSeconds == 1)
        let (late, _) = try evaluated(stream(40) { $0 < 30 ? [person(2, at: 1)] : both() }, truth: truth)
        #expect(late.foundInTwoSeconds == 0.5 && isNear(late.followedAfterTwoSeconds, 30.0 / 40))
    }

    @Test func `slower tracks are compared with the nearest frame, and what ends early is missed`() throws {
        let slow = try evaluated(stream(10, interval: 0.2) { _ in both() })
        #expect(slow.figures.idf1 == 1 && slow.counts.persons == 40)
        let short = try evaluated(stream(10) { _ in both() })
        #expect(short.counts.misses == 20 && short.counts.matches == 20)
    }

    @Test func `an empty hall has false people and nothing else`() throws {
        let (figures, counts) = try evaluated(stream { _ in [person(1, at: 0.3)] }, truth: stream { _ in [] })
        #expect(figures.idf1 == 0 && figures.mota == nil && figures.missed == nil && figures.tracksPerPerson == nil)
        #expect(counts.falseTracks == 1 && isNear(figures.falsePeoplePerMinute, 30))
    }

    @Test func `the figures of all clips come from the sums of their counts`() throws {
        var evaluation = TrackingEvaluation()
        let truth = stream { _ in both(7, 8) }
        try evaluation.add("good", tracks: stream { _ in both() }, truth: truth)
        try evaluation.add("bad", tracks: stream { both($0 < 10 ? 1 : 3) }, truth: truth)
        // 40 and 30 of 80 are right.
        #expect(isNear(evaluation.total.idf1, 140.0 / 160) && evaluation.total.switches == 1)
        #expect(["good", "all", "0.875"].allSatisfy(evaluation.text.contains))
        #expect(evaluation.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let square = IdentityStream(pictures: truth.pictures, intervalSeconds: 0.1, aspect: 1)
        #expect(throws: IdentityStreamError.differentShapes(stream: "other", truth: "the truth")) {
            try evaluation.add("other", tracks: square, truth: truth)
        }
    }
}
