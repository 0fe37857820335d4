import Actions
import Agent
import Capture
import Foundation
import Messaging
import Poses
import Synchronization
import Testing

@Suite struct MetricsSinkTests {
    private let published = Published()
    private let reports = CameraStatusBoard()
    private let start = ContinuousClock.now

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private let lines = Lines()

    private func sink(promisedHz: Double = 0) -> MetricsSink {
        MetricsSink(
            camera: "rack1",
            source: SourceStatistics(
                promisedHz: promisedHz, device: nil, durationSeconds: nil, inference: RecentDurations()),
            reports: reports, minimumPoseShare: 0.6, log: { [lines] _, line in lines.all.withLock { $0.append(line) } },
            publish: published.publish)
    }

    private func feed(_ sink: inout MetricsSink, rateHz: Double, from first: Double, seconds: Double) {
        for index in 0..<Int(seconds * rateHz) {
            let time = first + Double(index) / rateHz
            sink.receive(SinkFixture.result(at: time, now: start + .seconds(time)))
        }
    }

    private var problems: [String] { (reports.all["rack1"]?.problems ?? [:]).keys.sorted() }

    @Test func `a camera whose frame rate is too low to count is reported, and so is its recovery`() throws {
        var sink = sink()
        feed(&sink, rateHz: 30, from: 0, seconds: 20)
        #expect(problems == [])
        feed(&sink, rateHz: 1.5, from: 20, seconds: 40)
        #expect(problems == ["too_slow"])
        let message = try #require(reports.all["rack1"]?.problems["too_slow"]?.message)
        #expect(message.contains("1.5 frames/s") && message.contains("give the camera light"), "\(message)")
        feed(&sink, rateHz: 15, from: 60, seconds: 30)
        #expect(problems == [])
        let reasons = published.all.compactMap { if case .status(let status) = $0 { status.reason } else { nil } }
        #expect(reasons == ["too_slow"], "and the last status has no reason")
    }

    @Test(arguments: [2.6, 3.0, 3.8])
    func `a slow camera that can be counted has no problem`(rateHz: Double) {
        var sink = sink()
        feed(&sink, rateHz: rateHz, from: 0, seconds: 60)
        #expect(problems == [])
    }

    @Test func `an overloaded machine is too slow although the camera delivers`() {
        var sink = sink(promisedHz: 30)
        // One frame in thirty is processed, the others are dropped.
        for second in 0..<40 {
            let now = start + .seconds(second)
            sink.receive(SinkFixture.result(at: Double(second), now: now, dropped: 29 * second))
        }
        #expect(problems == ["too_slow"])
        let message = reports.all["rack1"]?.problems["too_slow"]?.message ?? ""
        #expect(message.contains("maximum_people"), "\(message)")
    }

    @Test func `a jump of the times is logged once`() {
        var sink = sink()
        sink.receive(SinkFixture.result(at: 0))
        let jump = TimeJump(from: 0, to: 3600)
        sink.receive(SinkFixture.result(at: 3600, jump: jump))
        sink.receive(SinkFixture.result(at: 3600.03))
        #expect(lines.all.withLock { $0 } == [jump.message(about: "rack1")])
    }
}
