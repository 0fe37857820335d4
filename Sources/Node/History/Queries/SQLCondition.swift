import GRDB

/// Builds a WHERE clause. A `nil` value adds no condition.
struct SQLCondition {
    private var parts = ["1"]
    private(set) var arguments: StatementArguments = []

    var sql: String { parts.joined(separator: " AND ") }

    mutating func add(_ part: String) { parts.append(part) }

    /// Adds that a column has one of these values; of none nothing fits.
    mutating func add(_ column: String, isOneOf values: [String]) {
        parts.append("\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))")
        for value in values { arguments += [value] }
    }

    /// - Parameter part: a condition with a `?` for the value; every one of several stands for the same value.
    mutating func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
        guard let value else { return }
        parts.append(part)
        for _ in 0..<part.utf8.count(where: { $0 == UInt8(ascii: "?") }) { arguments += [value] }
    }
}
