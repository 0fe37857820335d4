/// The cheapest one-to-one assignment of rows to columns, where some pairs are impossible.
///
/// The Hungarian method with potentials, in O(rows² · columns) (H. W. Kuhn, "The Hungarian method for the assignment
/// problem", 1955; the shortest-path form of J. Munkres, 1957).
package enum Assignment {
    /// As many pairs as possible; among those, the ones with the smallest sum of costs.
    ///
    /// - Parameter costs: a row for each one to be assigned; `nil` where a pair is impossible. Rows have equal lengths.
    /// - Returns: for each row its column, or `nil`.
    package static func cheapest(_ costs: [[Double?]]) -> [Int?] {
        guard let first = costs.first, !first.isEmpty else { return costs.map { _ in nil } }
        let largest = costs.joined().compactMap { $0 }.map(abs).max() ?? 0
        // One impossible pair costs more than all possible ones together, so it is taken only without a choice.
        let impossible = (largest + 1) * Double(2 * max(costs.count, first.count) + 1)
        let size = max(costs.count, first.count)
        let square = (0..<size).map { row in
            (0..<size).map { column in
                row < costs.count && column < first.count ? costs[row][column] ?? impossible : impossible
            }
        }
        return columns(of: square).prefix(costs.count).enumerated().map { row, column in
            column < first.count && costs[row][column] != nil ? column : nil
        }
    }

    /// For each row of a square of costs its column.
    private static func columns(of costs: [[Double]]) -> [Int] {
        let size = costs.count
        var ofRows = [Double](repeating: 0, count: size)
        var ofColumns = [Double](repeating: 0, count: size + 1)
        // The last entry stands for a column before all others, from which each search starts.
        var owners = [Int?](repeating: nil, count: size + 1)
        for row in 0..<size {
            var column = size
            owners[size] = row
            var reach = [Double](repeating: .infinity, count: size)
            var before = [Int](repeating: size, count: size)
            var visited = [Bool](repeating: false, count: size + 1)
            while let owner = owners[column] {
                visited[column] = true
                var step = Double.infinity
                var next = size
                for other in 0..<size where !visited[other] {
                    let reduced = costs[owner][other] - ofRows[owner] - ofColumns[other]
                    if reduced < reach[other] { (reach[other], before[other]) = (reduced, column) }
                    if reach[other] < step { (step, next) = (reach[other], other) }
                }
                for other in 0...size {
                    if visited[other], let owner = owners[other] {
                        ofRows[owner] += step
                        ofColumns[other] -= step
                    } else if other < size {
                        reach[other] -= step
                    }
                }
                column = next
            }
            while column != size {
                owners[column] = owners[before[column]]
                column = before[column]
            }
        }
        var result = [Int](repeating: 0, count: size)
        for column in 0..<size { if let row = owners[column] { result[row] = column } }
        return result
    }
}
