import CKernels
import Foundation
import Synchronization

/// A few threads that do one piece of work together, many times.
///
/// Between two pieces the other threads first look out for the next one for some microseconds, then sleep: layers
/// follow each other at once, frames do not. Every wait within a piece is for a thread that is running, so it spins,
/// and gives way when that takes long because the machine has other things to do.
package final class ThreadTeam: Sendable {
    /// What one member knows while it works.
    package struct Member: Sendable {
        /// 0 is the thread that asked for the work.
        package let index: Int
        package let count: Int
        fileprivate let shared: Shared?

        /// The only member of a team of one.
        package static let alone = Member(index: 0, count: 1, shared: nil)

        /// This member's part of a number of equal things, in whole steps.
        package func part(of total: Int, step: Int = 1) -> Range<Int> {
            let steps = (total + step - 1) / step
            return min(total, steps * index / count * step)..<min(total, steps * (index + 1) / count * step)
        }

        /// Waits until all members are here; what each wrote before is then seen by all.
        package func meet() { shared?.meet(count) }
    }

    package let count: Int
    private let shared = Shared()

    /// - Parameter count: threads, the caller's included.
    package init(count: Int) {
        precondition(count >= 1, "a team has at least one member")
        self.count = count
        for index in 1..<max(count, 1) {
            let member = Member(index: index, count: count, shared: shared)
            let thread = Thread { [shared] in shared.serve(member) }
            thread.name = "spotter-\(index)"
            thread.start()
        }
    }

    deinit { shared.stop() }

    /// Calls `work` once for every member, each on a thread of its own, and returns when all are done.
    ///
    /// One piece of work at a time: calls must not overlap. What `work` shares between members is its own business.
    package func perform(_ work: @escaping (Member) -> Void) {
        guard count > 1 else { return work(.alone) }
        shared.begin(work)
        work(Member(index: 0, count: count, shared: shared))
        shared.finish(others: count - 1)
    }
}

extension ThreadTeam {
    fileprivate final class Shared: Sendable {
        /// Grows with every piece of work.
        private let piece = Atomic<Int>(0)
        private let done = Atomic<Int>(0)
        private let arrived = Atomic<Int>(0)
        private let meetings = Atomic<Int>(0)
        private let condition = NSCondition()
        /// Written before `piece` grows and read after that was seen; nobody reads it any more once `done` is full.
        nonisolated(unsafe) private var work: ((Member) -> Void)?
        private let stopped = Atomic<Bool>(false)

        /// Looks at a value this often before giving way: ten to fifty microseconds, by the processor's pause.
        private static let patience = 1000

        func begin(_ work: @escaping (Member) -> Void) {
            self.work = work
            done.store(0, ordering: .relaxed)
            condition.lock()
            piece.add(1, ordering: .releasing)
            condition.broadcast()
            condition.unlock()
        }

        func finish(others: Int) {
            wait { done.load(ordering: .acquiring) == others }
            work = nil
        }

        func meet(_ count: Int) {
            let meeting = meetings.load(ordering: .acquiring)
            if arrived.add(1, ordering: .acquiringAndReleasing).newValue == count {
                arrived.store(0, ordering: .relaxed)
                meetings.add(1, ordering: .releasing)
            } else {
                wait { meetings.load(ordering: .acquiring) != meeting }
            }
        }

        func serve(_ member: Member) {
            var seen = 0
            while true {
                awaitPiece(after: seen)
                if stopped.load(ordering: .acquiring) { return }
                seen += 1
                work?(member)
                done.add(1, ordering: .releasing)
            }
        }

        func stop() {
            stopped.store(true, ordering: .releasing)
            condition.lock()
            piece.add(1, ordering: .releasing)
            condition.broadcast()
            condition.unlock()
        }

        private func awaitPiece(after seen: Int) {
            for _ in 0..<Self.patience {
                if piece.load(ordering: .acquiring) > seen { return }
                ck_relax()
            }
            condition.lock()
            defer { condition.unlock() }
            while piece.load(ordering: .acquiring) <= seen { condition.wait() }
        }

        private func wait(until isTrue: () -> Bool) {
            var looks = 0
            while !isTrue() {
                ck_relax()
                looks += 1
                if looks % Self.patience == 0 { sched_yield() }
            }
        }
    }
}
