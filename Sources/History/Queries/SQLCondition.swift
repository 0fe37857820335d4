import GRDB

/// Builds a WHERE clause. A `nil` value adds no condition.
struct SQLCondition {
    private var parts = ["1"]
    private(set) var arguments: StatementArguments = []

    var sql: String { parts.joined(separator: " AND ") }

    mutating func add(_ part: String) { parts.append(part) }

    /// - Parameter part: a condition with a `?` for the value; every one of several stands for the same value.
    mutating func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
        guard let value else { return }
        parts.append(part)
        for _ in 0..<part.utf8.count(where: { $0 == UInt8(ascii: "?") }) { arguments += [value] }
    }
}
