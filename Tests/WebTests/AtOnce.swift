import Foundation
import Synchronization

/// Runs `body` on several threads that wait for each other before they begin, so that they meet.
final class AtOnce<Answer: Sendable>: Sendable {
    private let count: Int
    private let ready = Atomic(0)
    private let answers = Mutex<[Result<Answer, any Error>]>([])
    private let isDone = DispatchSemaphore(value: 0)

    private init(_ count: Int) { self.count = count }

    /// - Returns: the answers, in no order.
    static func run(_ count: Int, _ body: @escaping @Sendable () throws -> Answer) throws -> [Answer] {
        let meeting = AtOnce(count)
        for _ in 0..<count { Thread.detachNewThread { meeting.join(body) } }
        for _ in 0..<count { meeting.isDone.wait() }
        return try meeting.answers.withLock { try $0.map { try $0.get() } }
    }

    private func join(_ body: () throws -> Answer) {
        ready.add(1, ordering: .acquiringAndReleasing)
        // Waking up would take longer than what the threads compete for.
        while ready.load(ordering: .acquiring) < count {}
        let answer = Result { try body() }
        answers.withLock { $0.append(answer) }
        isDone.signal()
    }
}
