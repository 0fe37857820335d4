import GRDB

/// Builds a WHERE clause. A `nil` value adds no condition.
struct SQLCondition {
    private var parts = ["1"]
    private(set) var arguments: StatementArguments = []

    var sql: String { parts.joined(separator: " AND ") }

    mutating func add(_ part: String) { parts.append(part) }

    mutating func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
        guard let value else { return }
        parts.append(part)
        arguments += [value]
    }
}
