import Testing

import Training

@Suite struct AssignmentTests {
    /// Costs with -1 for impossible pairs, and the columns that were worked out by hand.
    @Test(
        arguments: [
            ([[1.0]], [0]),
            ([[-1.0]], [nil]),
            // The diagonal costs 4 + 4; the other way 1 + 2.
            ([[4, 1], [2, 4]], [1, 0]),
            // Nearest pairs first would take 1 and then 100.
            ([[1, 2], [2, 100]], [1, 0]),
            // Two pairs are better than one cheap pair.
            ([[1, 5], [2, -1]], [1, 0]),
            // More rows than columns, and more columns than rows.
            ([[3], [1], [2]], [nil, 0, nil]),
            ([[3, 1, 2]], [1]),
            // 3 + 4 + 3 = 10; the diagonal costs 14, the four others 11 or 13.
            ([[1, 2, 3], [2, 4, 6], [3, 6, 9]], [2, 1, 0]),
            ([[-1, -1], [-1, 1]], [nil, 1]),
            ([[-3, -5], [-4, -1]] as [[Double]], [1, 0]),
            ([] as [[Double]], []),
            ([[], []] as [[Double]], [nil, nil]),
        ] as [([[Double]], [Int?])])
    func `the cheapest pairs are found`(costs: [[Double]], columns: [Int?]) {
        let chosen = Assignment.cheapest(costs.map { row in row.map { $0 == -1 ? nil : $0 } })
        #expect(chosen == columns)
    }

    @Test func `no permutation is cheaper`() {
        var state: UInt64 = 7
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        for _ in 0..<50 {
            let costs = (0..<5).map { _ in (0..<5).map { _ in random() } }
            let chosen = Assignment.cheapest(costs).enumerated().reduce(0) { $0 + costs[$1.0][$1.1 ?? 0] }
            let sums = permutations(Array(0..<5)).map { $0.enumerated().reduce(0) { $0 + costs[$1.0][$1.1] } }
            let least = sums.min()
            #expect(abs(chosen - (least ?? 0)) < 1e-12)
        }
    }

    private func permutations(_ list: [Int]) -> [[Int]] {
        guard let first = list.first else { return [[]] }
        return permutations(Array(list.dropFirst())).flatMap { rest in
            (0...rest.count).map { place in
                var order = rest
                order.insert(first, at: place)
                return order
            }
        }
    }
}
