import GRDB

/// A WHERE clause that grows with what is asked for; what is not asked for (`nil`) adds nothing.
struct SQLCondition {
    private var parts = ["1"]
    private(set) var arguments: StatementArguments = []

    var sql: String { parts.joined(separator: " AND ") }

    mutating func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
        guard let value else { return }
        parts.append(part)
        arguments += [value]
    }
}
