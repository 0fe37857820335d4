import Dispatch
import HTTPServing
import Synchronization

/// What waits for the threads of a ``WorkPool``.
final class WorkQueue: Sendable {
    private struct State {
        /// Each kind's work, the oldest first.
        var waiting: [WorkPool.Kind: [Work]] = [:]
        /// Wakes the threads that take a kind.
        var bells: [WorkPool.Kind: [DispatchSemaphore]] = [:]
        var isClosed = false
    }
    private let state = Mutex(State())

    /// Adds a thread that takes these kinds.
    func add(_ bell: DispatchSemaphore, for kinds: [WorkPool.Kind]) {
        state.withLock { state in
            for kind in kinds { state.bells[kind, default: []].append(bell) }
        }
    }

    /// Queues work, or refuses it.
    ///
    /// - Parameter isBounded: whether it needs a free place.
    func add(_ work: Work, isBounded: Bool) {
        enum Outcome { case queued([DispatchSemaphore]), refused(any Error) }
        let outcome = state.withLock { state -> Outcome in
            if state.isClosed || work.isWithdrawn { return .refused(CancellationError()) }
            let others = state.waiting[work.kind, default: []]
            guard !isBounded || others.count < work.kind.places else { return .refused(WebFailure.busy) }
            state.waiting[work.kind] = others + [work]
            return .queued(state.bells[work.kind] ?? [])
        }
        switch outcome {
        case .queued(let bells): for bell in bells { bell.signal() }
        case .refused(let reason): work.refuse(reason)
        }
    }

    /// Takes work out that has not begun.
    ///
    /// - Returns: whether it had not.
    @discardableResult
    func withdraw(_ work: Work, _ reason: any Error) -> Bool {
        let isOut = state.withLock { state in
            work.withdraw()
            guard let place = state.waiting[work.kind]?.firstIndex(where: { $0 === work }) else { return false }
            state.waiting[work.kind]?.remove(at: place)
            return true
        }
        if isOut { work.refuse(reason) }
        return isOut
    }

    /// Does all work of these kinds that waits.
    ///
    /// - Returns: whether more may come.
    func serve(_ kinds: [WorkPool.Kind]) -> Bool {
        while true {
            let (work, isClosed) = state.withLock { state -> (Work?, Bool) in
                let kind = kinds.first { state.waiting[$0]?.isEmpty == false }
                let work = kind.flatMap { state.waiting[$0]?.removeFirst() }
                work?.begin()
                return (work, state.isClosed)
            }
            guard let work else { return !isClosed }
            work.perform()
        }
    }

    /// Refuses what waits, and ends the threads.
    func close() {
        let (rest, bells) = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return (state.waiting.values.joined(), state.bells.values.joined())
        }
        for work in rest { work.refuse(CancellationError()) }
        for bell in bells { bell.signal() }
    }
}

/// One piece of work.
final class Work: Sendable {
    let kind: WorkPool.Kind
    let stop = WorkStop()
    /// Answers in place of the work.
    let refuse: @Sendable (any Error) -> Void
    private let body: @Sendable (WorkStop) -> Void
    private let running = Atomic(false)
    private let withdrawn = Atomic(false)

    init(
        _ kind: WorkPool.Kind, refuse: @escaping @Sendable (any Error) -> Void,
        body: @escaping @Sendable (WorkStop) -> Void
    ) {
        (self.kind, self.refuse, self.body) = (kind, refuse, body)
    }

    /// Whether it has begun and is not over.
    var isRunning: Bool { running.load(ordering: .acquiring) }
    /// Whether nobody wants it any more, which may be known before it is queued.
    var isWithdrawn: Bool { withdrawn.load(ordering: .acquiring) }

    func withdraw() { withdrawn.store(true, ordering: .releasing) }

    func begin() { running.store(true, ordering: .releasing) }

    func perform() {
        body(stop)
        running.store(false, ordering: .releasing)
    }
}

/// An answer that comes once; what comes later is dropped.
final class Promise<Answer: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Answer, any Error>)
        case fulfilled
    }
    private let state = Mutex(State.empty)

    /// Must come before any answer.
    func wait(_ continuation: CheckedContinuation<Answer, any Error>) {
        state.withLock { $0 = .waiting(continuation) }
    }

    func fulfil(_ result: Result<Answer, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Answer, any Error>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .fulfilled
            return continuation
        }
        waiting?.resume(with: result)
    }
}
