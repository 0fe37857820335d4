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

    /// - Parameters:
    ///   - shown: the rows that were passed on.
    ///   - limit: the most rows that were asked for; `nil` for all.
    ///   - rows: a query for all rows, which is counted only if the limit was reached.
    init(shown: Int, limit: Int?, of rows: String, _ arguments: StatementArguments, in db: Database) throws {
        guard let limit, shown >= limit else {
            self.init(shown: shown, found: shown)
            return
        }
        let sql = "SELECT count(*) FROM (\(rows) LIMIT \(Self.maximum + 1))"
        self.init(shown: shown, found: try Int.fetchOne(db, sql: sql, arguments: arguments) ?? shown)
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
