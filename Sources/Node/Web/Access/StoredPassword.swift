import Foundation

/// A password as it is stored: salt and hash. Nobody can get the password back.
///
/// The hash is scrypt (RFC 7914) with N = 2^14, r = 8 and p = 1. It takes 16 MB of memory while it is computed.
struct StoredPassword: Codable, Equatable, Sendable {
    /// scrypt's parameters. They are stored, so that older passwords stay valid when the program chooses others.
    private let n: Int
    private let r: Int
    private let p: Int
    private let salt: Data
    private let hash: Data

    /// Hashes a password with a new salt; `nil` when there is no memory.
    init?(of password: String) {
        let salt = Secrets.random(16)
        guard let hash = Secrets.scrypt(Self.plain(password), salt: salt, n: 1 << 14, r: 8, p: 1) else { return nil }
        self.init(salt: salt, hash: hash)
    }

    private init(salt: [UInt8], hash: [UInt8]) {
        (n, r, p, self.salt, self.hash) = (1 << 14, 8, 1, Data(salt), Data(hash))
    }

    /// No password matches it, and checking one takes as long as checking a real one.
    static let nobody = StoredPassword(
        salt: [UInt8](repeating: 0, count: 16), hash: [UInt8](repeating: 0, count: 32))

    /// Whether the parameters are ones that this program can compute, in 16 MB and a moment.
    var isValid: Bool {
        n.nonzeroBitCount == 1 && (2...1 << 14).contains(n) && (1...8).contains(r) && (1...4).contains(p)
            && (16...64).contains(salt.count) && hash.count == 32
    }

    /// Whether this is the password; `nil` when there is no memory.
    func matches(_ password: String) -> Bool? {
        Secrets.scrypt(Self.plain(password), salt: Array(salt), n: n, r: r, p: p)
            .map { Secrets.areEqual($0, Array(hash)) }
    }

    /// What is hashed. Telephones write the first letter large, and people leave the dashes out. No password is longer
    /// than the limit.
    private static func plain(_ password: String) -> String {
        String(password.unicodeScalars.prefix(200).filter { $0 != "-" && !$0.properties.isWhitespace }).lowercased()
    }

    /// A new password: four groups of five letters and digits, without those that look alike. It has 99 random bits.
    static func random() -> String {
        let symbols = Array("23456789abcdefghjkmnpqrstuvwxyz")
        var generator = SystemRandomNumberGenerator()
        let groups = (0..<4).map { _ in
            String((0..<5).map { _ in symbols[Int.random(in: symbols.indices, using: &generator)] })
        }
        return groups.joined(separator: "-")
    }
}
