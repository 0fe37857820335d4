import GRDB

/// Reads column values without trusting the file. SQLite stores text in a number column and 2^63-1 in a count, and
/// GRDB's own subscripts trap on values that do not fit. These methods return the nearest valid value.
extension Row {
    /// A whole number, at most ±10^15; 0 for any other value.
    func integer(_ column: String) -> Int { optionalInteger(column) ?? 0 }

    /// A whole number, at most ±10^15; `nil` for any other value.
    func optionalInteger(_ column: String) -> Int? {
        switch value(column) {
        case .int64(let number): Int(number.clamped)
        case .double(let number) where number.isFinite: Int(number.clamped)
        default: nil
        }
    }

    /// A position or a row's number, at most ±10^15, so that adding 1 does not overflow.
    func position(_ column: String) -> Int64 { Int64(integer(column)) }

    /// A finite number, at most ±10^15; 0 for any other value.
    func number(_ column: String) -> Double { optionalNumber(column) ?? 0 }

    /// A finite number, at most ±10^15; `nil` for any other value.
    func optionalNumber(_ column: String) -> Double? { Self.number(value(column)) }

    /// The same by the column's place, which takes less time where there are many rows.
    func number(at place: Int) -> Double { Self.number((self[place] as DatabaseValue).storage) ?? 0 }

    private static func number(_ value: DatabaseValue.Storage) -> Double? {
        switch value {
        case .int64(let number): Double(number.clamped)
        case .double(let number): number.isNaN ? nil : number.clamped
        default: nil
        }
    }

    /// Milliseconds since 1970, within the years 0 to 9999.
    func moment(_ column: String) -> Int64 {
        Swift.min(Swift.max(position(column), -62_167_219_200_000), 253_402_300_799_999)
    }

    /// The text; empty when absent.
    func text(_ column: String) -> String { optionalText(column) ?? "" }

    /// The text; `nil` when absent.
    func optionalText(_ column: String) -> String? {
        switch value(column) {
        case .string(let text): text
        case .int64(let number): String(number)
        case .double(let number): "\(number)"
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null: nil
        }
    }

    /// The bytes; empty for any other value.
    func bytes(_ column: String) -> [UInt8] {
        if case .blob(let bytes) = value(column) { Array(bytes) } else { [] }
    }

    private func value(_ column: String) -> DatabaseValue.Storage {
        (self[column] as DatabaseValue?)?.storage ?? .null
    }
}

extension Int64 {
    fileprivate static let largest: Int64 = 1_000_000_000_000_000

    /// The nearest number within ±10^15. Sums of such numbers do not overflow, and a `Double` holds them exactly.
    var clamped: Int64 { Swift.min(Swift.max(self, -Self.largest), Self.largest) }
}

extension Double {
    fileprivate var clamped: Double { Swift.min(Swift.max(self, -1e15), 1e15) }
}

extension Sequence<Int> {
    /// The sum, at most ±10^15.
    var clampedSum: Int { reduce(0) { Int(Int64($0 + $1).clamped) } }
}
