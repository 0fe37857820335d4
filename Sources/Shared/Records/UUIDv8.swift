/// Makes identifiers from names: the same name has the same identifier (RFC 9562, section 5.8).
package enum UUIDv8 {
    /// The identifier of a name: the first bytes of its SHA-256 digest, 36 characters, lower case.
    package static func string(of name: String) -> String {
        var digits = Array(SHA256.hex(of: name.utf8).utf8.prefix(32))
        digits[12] = UInt8(ascii: "8")
        digits[16] = UInt8(ascii: "a")
        let text = String(decoding: digits, as: UTF8.self)
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { text.dropFirst($0).prefix($1 - $0) }.joined(separator: "-")
    }
}
