import Foundation
import History
import Records
import Workouts

/// A member's code as people type it: six digits, of which the node keeps the hash of a password.
enum MemberSecret {
    /// How many digits it has.
    static let digits = 6

    /// A new code.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<digits).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    }

    /// The hash as JSON; `nil` when there is no memory.
    static func stored(_ code: String) -> String? {
        StoredPassword(of: code).flatMap { try? JSONText.encode($0) }
    }

    /// Whether a code is the one of a hash. Without a hash it takes as long, and none is right.
    ///
    /// - Returns: `nil` when there is no memory.
    static func matches(_ code: String, _ stored: String?) -> Bool? {
        let hash = stored.flatMap { try? JSONDecoder().decode(StoredPassword.self, from: Data($0.utf8)) }
        return (hash.flatMap { $0.isValid ? $0 : nil } ?? .nobody).matches(code)
    }
}

extension MemberCode {
    /// Makes a code for a member.
    ///
    /// - Parameter path: the database, for the message of an error.
    /// - Returns: the digits, which are stored nowhere, and what is stored.
    /// - Throws: ``AccessError`` when there is no memory for the hash.
    package static func new(
        name: PersonName, nickname: PersonName, now: Date, path: String
    ) throws -> (digits: String, stored: MemberCode) {
        let digits = MemberSecret.random()
        guard let hash = MemberSecret.stored(digits) else { throw AccessError.noMemory(path: path) }
        let id = Secrets.hex(Secrets.random(16))
        return (digits, MemberCode(id: id, name: name, nickname: nickname, code: hash, made: now))
    }
}
