import Actions
import Foundation
import HTTPServing
import History
import Synchronization
import Testing
import Web

/// What blocks, and who has to wait for it.
@Suite(.timeLimit(.minutes(2))) struct WorkPoolTests {
    /// Work that goes on until it is let go.
    private final class Gate: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let inside = Mutex(0)

        /// How many are in it.
        var count: Int { inside.withLock { $0 } }

        func pass() {
            inside.withLock { $0 += 1 }
            gate.wait()
            inside.withLock { $0 -= 1 }
        }

        func open(times: Int = 1) { for _ in 0..<times { gate.signal() } }
    }

    private func eventually(_ isTrue: () -> Bool) async throws -> Bool { try await PictureFixture.wait(until: isTrue) }

    /// Starts work that fills the thread for long work.
    private func hold(
        _ pool: WorkPool, _ gate: Gate, _ kind: WorkPool.Kind = .long
    ) async throws -> Task<Void, any Error> {
        let before = gate.count
        let task = Task { try await pool.change(kind) { gate.pass() } }
        #expect(try await eventually { gate.count > before })
        return task
    }

    @Test(arguments: WorkPool.Kind.allCases)
    func `work has threads of its own`(kind: WorkPool.Kind) async throws {
        let pool = WorkPool()
        var threads: Set<UInt> = []
        for _ in 0..<50 { threads.insert(try await pool.ask(kind) { _ in UInt(pthread_self()) }) }
        #expect(threads.count <= (kind == .long ? 1 : 2))
    }

    @Test func `short work does not wait for long work, of which there is one at a time`() async throws {
        let (pool, gate) = (WorkPool(), Gate())
        let first = try await hold(pool, gate)
        let second = Task { try await pool.change(.long) { gate.pass() } }
        for number in 0..<100 { #expect(try await pool.ask(.short) { _ in number } == number) }
        #expect(gate.count == 1)
        gate.open(times: 2)
        try await first.value
        try await second.value
    }

    @Test func `short work goes to both threads while no long work waits`() async throws {
        let (pool, gate) = (WorkPool(), Gate())
        let tasks = [try await hold(pool, gate, .short), try await hold(pool, gate, .short)]
        #expect(gate.count == 2)
        gate.open(times: 2)
        for task in tasks { try await task.value }
    }

    @Test func `who finds no place is told to come back`() async throws {
        let (pool, gate, refusals) = (WorkPool(), Gate(), Shared<[WebFailure]>([]))
        let first = try await hold(pool, gate)
        let rest = (0..<WorkPool.Kind.long.places + 4).map { _ in
            Task {
                do {
                    try await pool.change(.long) {}
                } catch let failure as WebFailure { refusals.change { $0.append(failure) } }
            }
        }
        // While the thread is held nothing else ends.
        #expect(try await eventually { refusals.value.count == 4 })
        gate.open()
        try await first.value
        for task in rest { try await task.value }
        let failures = refusals.value
        #expect(failures.count == 4 && failures.allSatisfy { $0.code == "busy" && $0.status.code == 503 })
        #expect(failures.first?.headers[.retryAfter] == "5")
    }

    @Test func `who waits too long is told to come back, and the work is never done`() async throws {
        let (pool, gate, isDone) = (WorkPool { _ in .milliseconds(50) }, Gate(), Shared(false))
        let first = try await hold(pool, gate)
        let failure = await #expect(throws: WebFailure.self) {
            try await pool.ask(.long) { _ in isDone.change { $0 = true } }
        }
        #expect(failure?.code == "busy")
        gate.open()
        try await first.value
        try await pool.change(.long) {}
        #expect(!isDone.value)
    }

    @Test func `work that must happen waits as long as it takes`() async throws {
        let (pool, gate) = (WorkPool { _ in .milliseconds(10) }, Gate())
        let first = try await hold(pool, gate)
        let kept = Task { try await pool.change(.long, mustHappen: true) { 7 } }
        try await Task.sleep(for: .milliseconds(100))
        gate.open()
        try await first.value
        #expect(try await kept.value == 7)
    }

    @Test func `work whose client has gone leaves the queue`() async throws {
        let (pool, gate, isDone) = (WorkPool(), Gate(), Shared(false))
        let first = try await hold(pool, gate)
        let gone = Task { try await pool.ask(.long) { _ in isDone.change { $0 = true } } }
        try await Task.sleep(for: .milliseconds(50))
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        gate.open()
        try await first.value
        try await pool.change(.long) {}
        #expect(!isDone.value)
    }

    @Test func `work whose client has gone is stopped while it runs`() async throws {
        let (pool, begun, interrupts) = (WorkPool(), Shared(false), Shared(0))
        let gone = Task {
            try await pool.ask(.long) { stop in
                begun.change { $0 = true }
                try stop.interrupting({ interrupts.change { $0 += 1 } }) {
                    // As SQLite between two statements, it does not hear the first one.
                    while interrupts.value < 3 { usleep(1000) }
                }
            }
        }
        #expect(try await eventually { begun.value })
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        // The thread is free again.
        #expect(try await pool.ask(.long) { _ in 1 } == 1)
    }

    @Test func `a question that takes too long is stopped`() async throws {
        let pool = WorkPool { _ in .milliseconds(10) }
        let failure = await #expect(throws: WebFailure.self) {
            try await pool.ask(.long, limit: .milliseconds(50)) { stop in while !stop.isAsked { usleep(1000) } }
        }
        #expect(failure?.code == "too_long" && failure?.status.code == 503)
    }

    @Test func `a change that has begun runs to its end, and its answer is waited for`() async throws {
        let (pool, gate) = (WorkPool(), Gate())
        let change = Task {
            try await pool.change(.long) {
                gate.pass()
                return 7
            }
        }
        #expect(try await eventually { gate.count == 1 })
        change.cancel()
        gate.open()
        #expect(try await change.value == 7)
    }

    @Test func `SQLite is interrupted in the middle of a question`() async throws {
        let (fixture, begun) = (try NodeFixture(), Shared(false))
        let node = try fixture.node()
        for number in 0..<9 {
            let start = Date() - Double(600 * number + 600)
            node.writer.enqueue(
                Session(
                    id: "s\(number)", camera: "rack1", track: 1, start: start, end: start + 10, endReason: .idle,
                    actions: [], sets: []), now: .now)
        }
        _ = try node.writer.flush(now: .now, wall: Date())
        let (pool, path, rows) = (WorkPool(), node.store.path, Shared(0))
        let gone = Task {
            try await pool.ask(.long) { stop in
                let query = try HistoryQuery(path: path)
                _ = try stop.interrupting(query.interrupt) {
                    try query.sessions { _ in
                        rows.change { $0 += 1 }
                        begun.change { $0 = true }
                        while !stop.isAsked { usleep(1000) }
                    }
                }
            }
        }
        #expect(try await eventually { begun.value })
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        try await pool.change(.long) {}
        #expect(rows.value == 1)
    }
}
