import Foundation

/// Writes all JSON of this program: sorted keys, times with milliseconds, unescaped slashes, no line breaks.
public enum JSONText {
    /// Encodes `value` as one line of JSON.
    ///
    /// - Parameters:
    ///   - isIndented: whether every value has a line of its own, for people.
    ///   - zone: the time zone of the times; `nil` for UTC.
    /// - Throws: `EncodingError` for numbers JSON cannot hold (NaN, infinity).
    public static func encode(
        _ value: some Encodable, isIndented: Bool = false, zone: TimeZone? = nil
    ) throws -> String {
        String(decoding: try bytes(value, isIndented: isIndented, zone: zone), as: UTF8.self)
    }

    /// The same as bytes in UTF-8.
    ///
    /// - Throws: `EncodingError` for numbers JSON cannot hold (NaN, infinity).
    public static func bytes(
        _ value: some Encodable, isIndented: Bool = false, zone: TimeZone? = nil
    ) throws -> [UInt8] {
        var bytes = JSONBytes(isIndented: isIndented, zone: zone)
        bytes.write(try JSONEncoding.item(value))
        return bytes.bytes
    }
}

extension Double {
    /// The number rounded to `decimals` decimals, for people and for short JSON; 0 for NaN and infinity.
    package func rounded(decimals: Int) -> Double {
        guard isFinite else { return 0 }
        // Larger numbers have too few significant digits for such decimals, and the multiplication could overflow.
        guard abs(self) < 1e12 else { return self }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
