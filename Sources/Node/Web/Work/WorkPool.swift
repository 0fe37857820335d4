import Dispatch
import Foundation
import Glibc
import HTTPServing
import Synchronization

/// Runs what blocks: SQLite, files, the hash of a password, the start of a process, the check of the node.
///
/// On Linux, Swift's tasks and Dispatch's queues share their threads. Whatever waits for a disk there holds up the event
/// streams, the messages and the watchdog. So all such work of the page and of the metrics runs here, on two threads of
/// its own.
///
/// Work is of one of two kinds. ``Kind/short`` work takes a moment, ``Kind/long`` work may take seconds. One thread takes
/// short work only: a client that asks the worst questions keeps nobody from logging in. The other thread takes long work first,
/// and helps with short work while no long work waits. So there is never more than one long work at a time, and the
/// other cores are left to the cameras. Within a kind, what came first is done first.
///
/// Each kind has so many places to wait in, and a time that one may wait. Who finds no place, or waits longer, is told to
/// come back. Work whose client has gone is called off, also while it runs.
package final class WorkPool: Sendable {
    /// What a piece of work is like.
    package enum Kind: Sendable, CaseIterable {
        /// A moment: one session, a log-in, a change, a small file.
        case short
        /// Up to seconds: lists of the history, many files, the check of the node.
        case long

        /// How many wait at most.
        package var places: Int { self == .short ? 64 : 16 }
        /// How long one waits at most. A browser waits for 20 seconds.
        package var patience: Duration { self == .short ? .seconds(5) : .seconds(15) }
    }

    /// How long an answer may take in all, with the time that it waits.
    package static let limit = Duration.seconds(30)
    /// While work is to stop, it is told so again after this time: SQLite hears it only within a statement.
    private static let reminder = Duration.milliseconds(50)

    private let queue = WorkQueue()
    private let patience: @Sendable (Kind) -> Duration

    /// Starts the two threads. They end with the pool.
    ///
    /// - Parameter patience: how long work of a kind waits at most.
    package init(patience: @escaping @Sendable (Kind) -> Duration = { $0.patience }) {
        self.patience = patience
        Self.start("spotter-short", queue, taking: [.short])
        Self.start("spotter-long", queue, taking: [.long, .short])
    }

    deinit { queue.close() }

    private static func start(_ name: String, _ queue: WorkQueue, taking kinds: [Kind]) {
        let bell = DispatchSemaphore(value: 0)
        queue.add(bell, for: kinds)
        let thread = Thread {
            // Foundation can name a thread only once `start` has returned.
            bell.wait()
            Thread.current.name = name
            // Where processors are few, long work gives way to the cameras.
            if kinds.contains(.long) { setpriority(Int32(PRIO_PROCESS.rawValue), 0, 5) }
            while queue.serve(kinds) { bell.wait() }
        }
        thread.start()
        bell.signal()
    }

    /// Runs a question. It is called off when the task is cancelled, and when its time is over.
    ///
    /// - Parameter limit: how long the answer may take in all; longer than the patience of its kind.
    /// - Throws: ``WebFailure`` when the pool is too busy or the question takes too long, `CancellationError`, or the
    ///   error of `body`.
    package func ask<Answer: Sendable>(
        _ kind: Kind, limit: Duration = limit, _ body: @escaping @Sendable (WorkStop) throws -> Answer
    ) async throws -> Answer {
        try await run(kind, limit: limit, body)
    }

    /// Runs a change. Once it has begun it runs to its end, and its answer is waited for whatever happens to the client.
    ///
    /// - Parameter mustHappen: whether it waits as long as it takes, because what it keeps would be lost otherwise.
    /// - Throws: ``WebFailure`` when the pool is too busy, `CancellationError` before it has begun, or the error of `body`.
    package func change<Answer: Sendable>(
        _ kind: Kind = .short, mustHappen: Bool = false, _ body: @escaping @Sendable () throws -> Answer
    ) async throws -> Answer {
        try await run(kind, limit: nil, mustHappen: mustHappen) { _ in try body() }
    }

    private func run<Answer: Sendable>(
        _ kind: Kind, limit: Duration?, mustHappen: Bool = false,
        _ body: @escaping @Sendable (WorkStop) throws -> Answer
    ) async throws -> Answer {
        let answer = Promise<Answer>()
        let work = Work(kind, refuse: { answer.fulfil(.failure($0)) }) { stop in
            answer.fulfil(Result { try body(stop) })
        }
        let timer = Task { [queue, patience = patience(kind)] in
            if mustHappen { return }
            try await Task.sleep(for: patience)
            guard !queue.withdraw(work, WebFailure.busy), let limit else { return }
            try await Task.sleep(for: limit - patience)
            // Not in this task: it is cancelled with the answer.
            Task { await Self.end(work, WebFailure.tookTooLong) }
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.wait(continuation)
                queue.add(work, isBounded: !mustHappen)
            }
        } onCancel: { [queue] in
            if queue.withdraw(work, CancellationError()) || limit == nil { return }
            Task { await Self.end(work, CancellationError()) }
        }
    }

    /// Answers in place of work that runs, and tells it to stop until it has.
    private static func end(_ work: Work, _ reason: any Error) async {
        work.refuse(reason)
        repeat {
            work.stop.ask()
            do { try await Task.sleep(for: reminder) } catch { return }
        } while work.isRunning
    }
}

extension WebFailure {
    /// The pool has no place, or no time.
    package static let busy = WebFailure(
        .serviceUnavailable, "busy", "The node has too many questions to answer now: try again in a few seconds.",
        headers: [.retryAfter: "5"])

    /// A question was called off.
    package static let tookTooLong = WebFailure(
        .serviceUnavailable, "too_long", "The answer takes too long: ask for fewer days, or for one camera.",
        headers: [.retryAfter: "60"])
}
