import Foundation

/// The one way JSON is written here: keys sorted, dates in UTC with milliseconds, slashes plain, no line breaks.
public enum JSONText {
    /// - Throws: `EncodingError` for numbers JSON cannot hold (NaN, infinity).
    public static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension Double {
    /// The number with so many decimals, for people and for short JSON; 0 for what is no number.
    package func rounded(decimals: Int) -> Double {
        guard isFinite else { return 0 }
        // Beyond it a number has no such decimals, and multiplying would overflow.
        guard abs(self) < 1e12 else { return self }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
