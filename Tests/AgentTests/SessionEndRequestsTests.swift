import Agent
import Messaging
import Synchronization
import Testing

@Suite struct SessionEndRequestsTests {
    private final class Answers: Sendable {
        private let outcomes = Mutex<[CommandOutcome]>([])
        var all: [CommandOutcome] { outcomes.withLock { $0 } }
        func add(_ outcome: CommandOutcome) { outcomes.withLock { $0.append(outcome) } }
    }

    private let requests = SessionEndRequests()
    private let answers = Answers()
    private let start = ContinuousClock.now

    private func request(_ camera: String = "rack1") {
        requests.request(camera, now: start) { [answers] in answers.add($0) }
    }

    @Test func `a camera that is not running has no session and is answered at once`() throws {
        request()
        #expect(try answers.all.map { try $0.get() } == [["camera": "rack1", "sessions": .list([])]])
    }

    @Test func `the answer waits for the batch that stores the sessions, and for no later one`() throws {
        requests.begin("rack1")
        request()
        #expect(requests.isRequested("rack1") && !requests.isRequested("rack2"))
        requests.ended("rack1", sessions: ["s1"], batch: 7, now: start)
        #expect(!requests.isRequested("rack1"))
        requests.answer(committed: 6, now: start)
        #expect(answers.all.isEmpty)
        // Further changes are waiting, as always when commits take longer than predictions.
        requests.answer(committed: 7, now: start)
        #expect(try answers.all.map { try $0.get() } == [["camera": "rack1", "sessions": ["s1"]]])
    }

    @Test func `without sessions there is nothing to wait for`() {
        requests.begin("rack1")
        request()
        requests.ended("rack1", sessions: [], batch: 0, now: start)
        requests.answer(committed: 0, now: start)
        #expect(answers.all.count == 1)
    }

    @Test func `a camera without frames and a commit that never ends are reported`() {
        requests.begin("rack1")
        requests.begin("rack2")
        request("rack1")
        request("rack2")
        requests.ended("rack2", sessions: ["s2"], batch: 1, now: start)
        requests.answer(committed: 0, now: start + .seconds(14))
        #expect(answers.all.isEmpty)
        requests.answer(committed: 0, now: start + .seconds(16))
        requests.answer(committed: 0, now: start + .seconds(29))
        #expect(answers.all.count == 1)
        requests.answer(committed: 0, now: start + .seconds(31))
        #expect(answers.all.count == 2)
        for outcome in answers.all {
            guard case .failure(let error) = outcome else { Issue.record("\(outcome)"); continue }
            #expect(error.code == .failed && error.retryable)
        }
    }
}
