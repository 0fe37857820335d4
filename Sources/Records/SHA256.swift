import Foundation

/// The SHA-256 digest (FIPS 180-4), so that a model and its training data can be named by their content.
public struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    public init() {}

    /// The digest of `bytes` as 64 lower-case hexadecimal digits.
    public static func hex(of bytes: some Sequence<UInt8>) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let before = pending.count
        pending.append(contentsOf: bytes)
        length += UInt64(pending.count - before)
        consumeBlocks()
    }

    /// Ends the message and returns the digest as 64 lower-case hexadecimal digits.
    public mutating func finish() -> String {
        let bits = length * 8
        pending.append(0x80)
        while pending.count % 64 != 56 { pending.append(0) }
        withUnsafeBytes(of: bits.bigEndian) { pending.append(contentsOf: $0) }
        consumeBlocks()
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private mutating func consumeBlocks() {
        let whole = pending.count / 64 * 64
        guard whole > 0 else { return }
        var schedule = [UInt32](repeating: 0, count: 64)
        pending.withUnsafeBufferPointer { bytes in
            for block in stride(from: 0, to: whole, by: 64) {
                Self.compress(UnsafeBufferPointer(rebasing: bytes[block..<block + 64]), &schedule, into: &state)
            }
        }
        pending.removeFirst(whole)
    }

    private static func compress(
        _ block: UnsafeBufferPointer<UInt8>, _ w: inout [UInt32], into state: inout [UInt32]
    ) {
        for i in 0..<16 {
            let (high, low) = (UInt32(block[4 * i]) << 8 | UInt32(block[4 * i + 1]), UInt32(block[4 * i + 2]) << 8)
            w[i] = high << 16 | low | UInt32(block[4 * i + 3])
        }
        for i in 16..<64 {
            let a = w[i - 15], b = w[i - 2]
            let mixed = (a.rotated(7) ^ a.rotated(18) ^ a >> 3) &+ (b.rotated(17) ^ b.rotated(19) ^ b >> 10)
            w[i] = w[i - 16] &+ w[i - 7] &+ mixed
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for i in 0..<64 {
            let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let t1 = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ roundConstants[i] &+ w[i]
            let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let t2 = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        }
        for (i, value) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= value }
    }

    private static let roundConstants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ bits: UInt32) -> UInt32 { self >> bits | self << (32 - bits) }
}
