import Records
import Testing

/// How numbers and lengths of time are written for people.
@Suite struct WordsTests {
    @Test(
        arguments: [
            (0, "0 s"), (0.04, "0 s"), (-0.04, "0 s"), (0.333, "0.3 s"), (5, "5 s"), (9.94, "9.9 s"), (9.96, "10 s"),
            (18.3, "18 s"), (59.6, "1 min"), (60, "1 min"), (245, "4 min 5 s"), (3600, "1 h"), (3659, "1 h"),
            (3725, "1 h 2 min"), (90_061, "1 d 1 h"), (-75, "-1 min 15 s"), (.nan, "0 s"),
            (.infinity, "11574074 d 1 h"),
        ] as [(Double, String)])
    func `a length of time has its two largest units`(seconds: Double, text: String) {
        #expect(DurationText.of(seconds) == text)
    }

    @Test func `a length between two moments`() {
        #expect(DurationText.between("2026-11-21T18:00:00.000Z", "2026-11-21T18:02:05.400Z") == "2 min 5 s")
        #expect(DurationText.clock("2026-11-21T18:00:00.000Z", "2026-11-21T18:02:05.400Z") == "2:05")
        #expect(DurationText.between("soon", "2026-11-21T18:02:05.400Z") == "-")
        let clocks = [0, 42, 725, 3723, .nan].map { DurationText.clock($0) }
        #expect(clocks == ["0:00", "0:42", "12:05", "1:02:03", "0:00"])
    }

    @Test func `one is singular`() {
        #expect([0, 1, 2].map { $0.counted("set") } == ["0 sets", "1 set", "2 sets"])
        #expect([1, 2].map { $0.counted("person", "people") } == ["1 person", "2 people"])
    }
}
