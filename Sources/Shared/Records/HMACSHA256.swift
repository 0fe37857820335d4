import COpenSSL

/// Signs messages with HMAC-SHA256 (RFC 2104), which libcrypto computes.
package enum HMACSHA256 {
    /// The code of a message, 32 bytes. Ends the process when there is no memory for it.
    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        guard cssl_hmac_sha256(key, UInt(key.count), message, UInt(message.count), &code) == 1 else {
            preconditionFailure("no memory for an HMAC")
        }
        return code
    }
}
