import Actions
import Agent
import Foundation
import History
import Poses
import Testing

/// The alarms that somebody must look at.
@Suite struct AlarmBoardTests {
    private let origin = Date(timeIntervalSince1970: 1_800_000_000)
    private let board = AlarmBoard()

    private func see(
        _ lying: [LyingPerson], camera: String = "rack-1", at time: Double = 20, jump: TimeJump? = nil,
        on board: AlarmBoard? = nil
    ) {
        let frame = TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 640, heightPixels: 480, tracks: [], prominent: nil)
        (board ?? self.board).see(
            RecognitionChain.FrameResult(frame: frame, lying: lying, jump: jump), camera: camera
        ) { origin + $0 }
    }

    private func fallen(_ number: Int, isUp: Bool = false) -> LyingPerson {
        LyingPerson(number: number, cause: .fall, since: 5, zone: "mat", isUp: isUp)
    }

    @Test func `an alarm is raised once, and ends when the person is up`() {
        for second in 20..<25 { see([fallen(1)], at: Double(second)) }
        #expect(board.open.map(\.since) == [origin + 5] && board.open.first?.raised == origin + 20)
        see([fallen(1, isUp: true)], at: 40)
        #expect(board.open.isEmpty)
        let news = board.takeNews()
        #expect(news.map(\.kind) == [.raised, .ended] && news.last?.alarm.ended == origin + 40)
        #expect(board.takeNews().isEmpty)
        see([fallen(1)], at: 60)
        #expect(board.open.count == 1, "who falls again is told again")
    }

    @Test func `what is acknowledged is not raised again while the person lies there`() throws {
        see([fallen(1)])
        let alarm = try #require(board.open.first).id
        board.acknowledge(alarm, at: origin + 30)
        #expect(board.open.isEmpty)
        see([fallen(1)], at: 31)
        board.acknowledge(alarm, at: origin + 32)
        #expect(board.open.isEmpty)
        see([fallen(1, isUp: true)], at: 40)
        see([fallen(1)], at: 50)
        #expect(board.open.count == 1)
        #expect(board.takeNews().map(\.kind) == [.raised, .acknowledged, .ended, .raised])
    }

    @Test func `an alarm stays open while its camera is away, and belongs to who lies there afterwards`() {
        see([fallen(1)])
        board.lose("rack-1")
        #expect(board.open.count == 1)
        see([fallen(7)], at: 90)
        #expect(board.open.count == 1 && board.takeNews().count == 1)
        see([fallen(7, isUp: true)], at: 95)
        #expect(board.open.isEmpty)
    }

    @Test func `an alarm outlives a jump of the times`() {
        see([fallen(1)])
        see([fallen(2)], at: 30, jump: TimeJump(from: 21, to: 30))
        #expect(board.open.count == 1 && board.takeNews().count == 1)
        see([fallen(2, isUp: true)], at: 40)
        #expect(board.open.isEmpty)
    }

    @Test func `two people, and two cameras, are two alarms`() {
        see([fallen(1), fallen(2)])
        see([fallen(1)], camera: "rack-2")
        #expect(board.open.count == 3)
        let first = board.open[0].id
        board.acknowledge(first, at: origin)
        board.acknowledge("nothing", at: origin)
        #expect(board.open.count == 2 && board.open.allSatisfy { $0.id != first })
    }

    @Test func `the next run goes on with what was open`() {
        see([fallen(1)])
        let next = AlarmBoard(open: board.open)
        see([fallen(1)], on: next)
        #expect(next.open == board.open && next.takeNews().isEmpty)
    }
}
