import Agent
import Foundation
import Messaging
import Synchronization

/// Whether a condition becomes true within a minute.
func eventually(_ isTrue: () -> Bool) async throws -> Bool {
    // Count attempts, not seconds: on a busy machine this task itself may be delayed for minutes.
    for _ in 0..<3000 {
        if isTrue() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return isTrue()
}

/// Runs a body on several threads at once, and waits for all. Tasks share too few threads to collide.
func onThreads(_ count: Int, _ work: @escaping @Sendable (_ thread: Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for index in 0..<count {
            group.addTask {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    Thread.detachNewThread {
                        work(index)
                        continuation.resume()
                    }
                }
            }
        }
    }
}

/// The outcome of a submitted command.
func outcome(_ submit: (@escaping CommandExecutor.Completion) -> Void) async -> CommandOutcome {
    await withCheckedContinuation { continuation in submit { continuation.resume(returning: $0) } }
}

/// Collects values from any thread in their order of occurrence.
final class Happenings<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])
    var all: [Event] { events.withLock { $0 } }
    func add(_ event: Event) { events.withLock { $0.append(event) } }
}
