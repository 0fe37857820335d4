import NeuralNet
import Synchronization
import Testing

@Suite struct ThreadTeamTests {
    @Test(arguments: [1, 2, 3, 5]) func `every member does its part once, every time`(count: Int) {
        let team = ThreadTeam(count: count), calls = (0..<count).map { _ in Counter() }
        for _ in 0..<1000 {
            team.perform { member in
                #expect(member.count == count)
                calls[member.index].add()
            }
        }
        #expect(calls.map(\.value) == Array(repeating: 1000, count: count))
    }

    @Test func `what was written before a meeting is seen by all after it`() {
        let team = ThreadTeam(count: 3), cells = (0..<3).map { _ in Counter() }, wrong = Counter()
        team.perform { member in
            for round in 1...2000 {
                cells[member.index].add()
                member.meet()
                if cells.contains(where: { $0.value != round }) { wrong.add() }
                member.meet()
            }
        }
        #expect(wrong.value == 0)
    }

    @Test(arguments: [0, 1, 5, 48, 100]) func `parts cover everything once, in whole steps`(total: Int) {
        for step in [1, 2, 16] {
            let team = ThreadTeam(count: 3), parts = Mutex<[Int: Range<Int>]>([:])
            team.perform { member in parts.withLock { $0[member.index] = member.part(of: total, step: step) } }
            let ranges = parts.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
            #expect(ranges.flatMap { Array($0) } == Array(0..<total))
            #expect(ranges.allSatisfy { $0.isEmpty || $0.lowerBound % step == 0 })
        }
    }

    @Test(arguments: [(0, 3), (1, 1), (3, 8), (6, 1), (7, 5)], [1, 2, 3, 5])
    func `rectangles cover a table once, and no member gets more than one cell more`(
        table: (rows: Int, columns: Int), count: Int
    ) {
        let team = ThreadTeam(count: count), cells = Mutex<[[Int]]>([])
        team.perform { member in
            let parts = member.rectangles(rows: table.rows, columns: table.columns)
            #expect(parts.count <= 3)
            let own = parts.flatMap { rows, columns in
                rows.flatMap { row in columns.map { row * table.columns + $0 } }
            }
            cells.withLock { $0.append(own) }
        }
        let shares = cells.withLock { $0 }, sizes = shares.map(\.count)
        #expect(shares.joined().sorted() == Array(0..<table.rows * table.columns))
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }

    /// A counter that several threads increment.
    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }
}
