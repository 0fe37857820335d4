import Actions
import Agent
import Foundation
import Synchronization
import Testing

struct JournalTests {
    @Test func `a stride is told once it lasts, and once a minute at most`() {
        var news = StrideNews()
        // It changes every second, as on a machine that is just fast enough.
        #expect((0..<600).allSatisfy { !news.isNews($0 % 2 + 1, at: Double($0)) })
        let told = (600..<1200).filter { news.isNews($0 < 700 ? 2 : $0 < 730 ? 3 : 1, at: Double($0)) }
        #expect(told == [609, 710, 770], "\(told)")
    }

    @Test func `an hour is summed up in one line, and the next one begins`() {
        let hour = JournalHour()
        var report = CameraStatusBoard.Report()
        (report.frames, report.dropped) = (36_000, 12)
        let first = hour.line(["rack-1": report], seconds: 3600, waiting: 3)
        #expect(
            first
                == "the last hour: 0 sessions, up to 0 people at once; rack-1 10.0 frames/s, 12 dropped; 3 records wait"
        )
        (report.frames, report.dropped) = (36_360, 12)
        let second = hour.line(["rack-1": report], seconds: 3600, waiting: nil)
        #expect(second == "the last hour: 0 sessions, up to 0 people at once; rack-1 0.1 frames/s, 0 dropped")
    }
}
