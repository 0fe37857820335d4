import COpenSSL
import Records

/// Random bytes, slow hashes, signatures and comparisons, with libcrypto.
enum Secrets {
    /// Bytes from the kernel's generator.
    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// 32 bytes from a password with scrypt (RFC 7914); `nil` when there is no memory.
    static func scrypt(_ password: String, salt: [UInt8], n: Int, r: Int, p: Int) -> [UInt8]? {
        var key = [UInt8](repeating: 0, count: 32)
        let isDone = password.utf8CString.withUnsafeBufferPointer { text in
            // Without the zero at the end.
            cssl_scrypt(
                text.baseAddress, UInt(text.count - 1), salt, UInt(salt.count), UInt64(n), UInt64(r), UInt64(p),
                &key, UInt(key.count))
        }
        return isDone == 1 ? key : nil
    }

    /// The HMAC-SHA256 of a text, 32 bytes. Ends the process when there is no memory for it.
    static func signature(of text: String, key: [UInt8]) -> [UInt8] {
        HMACSHA256.code(of: Array(text.utf8), key: key)
    }

    /// Whether two texts are equal, in a time that depends on their lengths alone.
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && cssl_is_equal(one, other, UInt(one.count)) == 1
    }

    /// Two lower-case hexadecimal digits a byte.
    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
