import GRDB

/// How many rows a query passed on, and how many there are. A list that ends at its limit says so with these numbers.
public struct RowCount: Sendable, Equatable {
    /// Counting stops here, so that it takes no time in a history of years.
    public static let maximum = 100_000

    /// The rows that were passed on.
    public var shown: Int
    /// All rows that fit the filter; one more than ``maximum`` where there are more than that.
    public var found: Int

    /// Whether rows were left out.
    public var isCut: Bool { shown < found }

    /// Counts of one list.
    public init(shown: Int, found: Int) {
        (self.shown, self.found) = (shown, max(shown, found))
    }
}

extension Database {
    /// Counts the rows of a query, at most one more than ``RowCount/maximum``.
    ///
    /// - Parameter source: the query without its SELECT: `FROM … WHERE …`.
    func rowCount(_ source: String, _ arguments: StatementArguments) throws -> Int {
        let sql = "SELECT count(*) FROM (SELECT 1 \(source) LIMIT \(RowCount.maximum + 1))"
        return try Int.fetchOne(self, sql: sql, arguments: arguments) ?? 0
    }

    /// Passes the rows of a query to `body`, at most `limit`. All of them are counted only if the limit was reached.
    ///
    /// - Parameter source: the query without its SELECT and its order: `FROM … WHERE …`.
    func pass(
        _ columns: String, _ source: String, order: String, _ arguments: StatementArguments, limit: Int?,
        _ body: (Row) throws -> Void
    ) throws -> RowCount {
        let sql = "SELECT \(columns) \(source) ORDER BY \(order) LIMIT ?"
        let rows = try Row.fetchCursor(self, sql: sql, arguments: arguments + [limit ?? -1])
        var shown = 0
        while let row = try rows.next() {
            try body(row)
            shown += 1
        }
        guard let limit, shown >= limit else { return RowCount(shown: shown, found: shown) }
        return RowCount(shown: shown, found: try rowCount(source, arguments))
    }
}

extension Array {
    /// The newest rows of a list that begins with the oldest.
    package func newest(_ limit: Int?) -> (rows: [Element], count: RowCount) {
        let rows = limit.map { Array(suffix($0)) } ?? self
        return (rows, RowCount(shown: rows.count, found: count))
    }

    /// The first rows of a list.
    package func first(atMost limit: Int?) -> (rows: [Element], count: RowCount) {
        let rows = limit.map { Array(prefix($0)) } ?? self
        return (rows, RowCount(shown: rows.count, found: count))
    }
}
