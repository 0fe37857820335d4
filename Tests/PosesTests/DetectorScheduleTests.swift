import Testing

import Poses

@Suite struct DetectorScheduleTests {
    /// Plays frames at 30 Hz and returns the times of the searches.
    private func searches(
        _ schedule: inout DetectorSchedule, from start: Double = 0, seconds: Double, followed: Int = 0,
        lost: Bool = false, moves: Bool = false, things: Int = 0
    ) -> [Double] {
        (0..<Int(seconds * 30)).map { start + Double($0) / 30 }.filter { time in
            schedule.search(
                at: time, followed: followed, lostSomeone: lost && time == start, hasUnexplainedMotion: moves,
                movingThings: things) != nil
        }
    }

    @Test func `the first frame is searched, and an empty calm picture once a second`() {
        var schedule = DetectorSchedule()
        #expect(searches(&schedule, seconds: 5) == [0, 1, 2, 3, 4])
    }

    @Test func `motion in an empty picture is searched at once, and every tenth of a second`() {
        var schedule = DetectorSchedule()
        _ = searches(&schedule, seconds: 0.5)
        let found = searches(&schedule, from: 0.5, seconds: 1, moves: true)
        #expect(found.first == 0.5 && found.count == 10)
    }

    @Test func `a person who stops moving before detection is searched for a second longer`() {
        var schedule = DetectorSchedule()
        _ = searches(&schedule, seconds: 0.5, moves: true)
        #expect(searches(&schedule, from: 0.5, seconds: 0.9).count == 9)
        #expect(searches(&schedule, from: 2, seconds: 3).count == 3)
    }

    @Test func `while people are tracked, newcomers are searched for seldom, sooner when something moves`() {
        var schedule = DetectorSchedule()
        #expect(searches(&schedule, seconds: 6, followed: 1) == [0, 2, 4])
        let found = searches(&schedule, from: 5, seconds: 2, followed: 1, moves: true)
        #expect(found.first == 5 && found.count == 8)
    }

    @Test func `a lost person is searched for at once, and in every frame for a second when nobody is left`() {
        var schedule = DetectorSchedule()
        _ = searches(&schedule, seconds: 0.5, followed: 1)
        #expect(searches(&schedule, from: 0.5, seconds: 1, lost: true).count == 30)
        #expect(searches(&schedule, from: 1.6, seconds: 3).count <= 4)
    }

    @Test func `a lost person beside others is searched for at once, then as often as newcomers`() {
        var schedule = DetectorSchedule()
        _ = searches(&schedule, seconds: 0.2, followed: 2)
        let found = searches(&schedule, from: 0.2, seconds: 1, followed: 1, lost: true)
        #expect(found.first == 0.2 && found.count == 4)
    }

    @Test func `nobody is searched for once the maximum number is tracked`() {
        var schedule = DetectorSchedule(DetectorSchedule.Settings(maximumPeople: 2))
        #expect(searches(&schedule, seconds: 5, followed: 2, moves: true).isEmpty)
        #expect(searches(&schedule, from: 5, seconds: 0.1, followed: 1).first == 5)
    }

    @Test func `a longer interval for newcomers also applies without motion`() {
        var schedule = DetectorSchedule(DetectorSchedule.Settings(newcomerSeconds: 10))
        #expect(searches(&schedule, seconds: 25, followed: 1) == [0, 10, 20])
    }

    @Test func `close looks take turns with the whole picture, and with each other`() {
        var schedule = DetectorSchedule()
        let searches = (0..<6).map { index in
            schedule.search(
                at: Double(index), followed: 0, lostSomeone: false, hasUnexplainedMotion: true, movingThings: 2)
        }
        #expect(
            searches == [
                .wholePicture, .closeLook(number: 0), .wholePicture, .closeLook(number: 1), .wholePicture,
                .closeLook(number: 0),
            ])
    }

    @Test func `timestamps that restart reset the schedule`() {
        var schedule = DetectorSchedule()
        _ = searches(&schedule, from: 100, seconds: 1)
        #expect(searches(&schedule, seconds: 1).first == 0)
    }
}
