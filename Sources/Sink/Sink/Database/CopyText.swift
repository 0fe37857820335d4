/// Rows in the text format of `COPY` (PostgreSQL, "COPY", section "Text Format").
package struct CopyText {
    /// The rows so far, UTF-8.
    package private(set) var bytes: [UInt8] = []
    private var isRowBegun = false

    /// No rows.
    package init() {}

    /// Whether there are no rows.
    package var isEmpty: Bool { bytes.isEmpty }

    mutating func add(_ text: String?) {
        separate()
        guard let text else { return bytes += [UInt8(ascii: "\\"), UInt8(ascii: "N")] }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes += [byte, byte]
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case UInt8(ascii: "\t"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            default: bytes.append(byte)
            }
        }
    }

    mutating func add(_ number: Int64?) { add(number.map { String($0) }) }

    mutating func add(_ number: Double?) { add(number.map { String($0) }) }

    mutating func add(_ flag: Bool) { add(flag ? "t" : "f") }

    mutating func endRow() {
        bytes.append(UInt8(ascii: "\n"))
        isRowBegun = false
    }

    private mutating func separate() {
        if isRowBegun { bytes.append(UInt8(ascii: "\t")) }
        isRowBegun = true
    }
}
