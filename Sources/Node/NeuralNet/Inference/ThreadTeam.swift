import CKernels
import Foundation
import Synchronization

/// A few threads that repeatedly share one piece of work.
///
/// Between two pieces of work the other threads first spin for some microseconds, then sleep: layers follow each other
/// at once, but frames do not. Every wait within a piece is for a running thread, so it spins. It yields when the wait
/// takes long because the machine is busy.
package final class ThreadTeam: Sendable {
    /// A thread's view of the team while it works.
    package struct Member: Sendable {
        /// Number of the member. 0 is the thread that called ``ThreadTeam/perform(_:)``.
        package let index: Int
        /// Members in the team.
        package let count: Int
        fileprivate let shared: Shared?

        /// The only member of a team of one.
        package static let alone = Member(index: 0, count: 1, shared: nil)

        /// This member's share of `total` equal items, in multiples of `step`.
        package func part(of total: Int, step: Int = 1) -> Range<Int> {
            let steps = (total + step - 1) / step
            return min(total, steps * index / count * step)..<min(total, steps * (index + 1) / count * step)
        }

        /// This member's share of a table of equal cells, row after row: the rest of a row, whole rows, and a part of one.
        package func rectangles(rows: Int, columns: Int) -> [(rows: Range<Int>, columns: Range<Int>)] {
            var cells = part(of: rows * columns), rectangles: [(rows: Range<Int>, columns: Range<Int>)] = []
            while let next = cells.first {
                let (row, column) = next.quotientAndRemainder(dividingBy: columns)
                let whole = column == 0 ? cells.count / columns : 0
                let taken = whole > 0 ? whole * columns : min(cells.count, columns - column)
                rectangles.append((row..<row + max(whole, 1), column..<(whole > 0 ? columns : column + taken)))
                cells.removeFirst(taken)
            }
            return rectangles
        }

        /// Waits for all members. Afterwards each sees what the others wrote before.
        package func meet() { shared?.meet(count) }
    }

    /// Threads in the team, the caller's included.
    package let count: Int
    private let shared = Shared()

    /// Starts `count - 1` threads.
    ///
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

    /// Calls `work` once per member, each on its own thread, and returns when all are done.
    ///
    /// Calls must not overlap. `work` itself is responsible for the data that its members share.
    package func perform(_ work: @escaping (Member) -> Void) {
        guard count > 1 else { return work(.alone) }
        shared.begin(work)
        work(Member(index: 0, count: count, shared: shared))
        shared.finish(others: count - 1)
    }
}

extension ThreadTeam {
    fileprivate final class Shared: Sendable {
        /// Increases with every piece of work.
        private let piece = Atomic<Int>(0)
        private let done = Atomic<Int>(0)
        private let arrived = Atomic<Int>(0)
        private let meetings = Atomic<Int>(0)
        private let condition = NSCondition()
        /// Safe without a lock: written before `piece` increases and read after the increase was seen. No member reads
        /// it once `done` is complete.
        nonisolated(unsafe) private var work: ((Member) -> Void)?
        private let stopped = Atomic<Bool>(false)

        /// Checks of a value before yielding or sleeping: ten to fifty microseconds, depending on the processor.
        private static let spinLimit = 1000

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
            for _ in 0..<Self.spinLimit {
                if piece.load(ordering: .acquiring) > seen { return }
                ck_relax()
            }
            condition.lock()
            defer { condition.unlock() }
            while piece.load(ordering: .acquiring) <= seen { condition.wait() }
        }

        private func wait(until isTrue: () -> Bool) {
            var checks = 0
            while !isTrue() {
                ck_relax()
                checks += 1
                if checks % Self.spinLimit == 0 { sched_yield() }
            }
        }
    }
}
