import COpenSSL

/// Computes a SHA-256 digest (FIPS 180-4) with libcrypto. Digests identify models and training data by their content.
public final class SHA256 {
    private let context: OpaquePointer

    /// Begins an empty message. Ends the process when there is no memory for it.
    public init() {
        guard let context = cssl_sha256_new() else { preconditionFailure("no memory for a SHA-256 digest") }
        self.context = context
    }

    deinit { cssl_sha256_free(context) }

    /// The digest of `bytes` as 64 lower-case hexadecimal digits.
    public static func hex(of bytes: some Sequence<UInt8>) -> String {
        let hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds `bytes` to the message.
    public func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable {
            cssl_sha256_update(context, $0.baseAddress, UInt($0.count))
        }
        if isDone == nil {
            let copy = Array(bytes)
            cssl_sha256_update(context, copy, UInt(copy.count))
        }
    }

    /// Ends the message and returns the digest as 64 lower-case hexadecimal digits. Call it once.
    public func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        cssl_sha256_finish(context, &digest)
        return digest.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
