import Foundation
import Records

/// The links of `spotter web url`, which log in once: the folder `web-tokens` beside the database.
///
/// A file stands for each link that is not used yet. Its name is the SHA-256 of the token, so that nobody who reads the
/// folder can use it. The client whose request removes the file is logged in.
package final class OneTimeTokens: Sendable {
    /// The folder's name.
    package static let name = "web-tokens"
    /// How long a link works.
    package static let lifetime = Duration.seconds(600)
    /// More links wait at no time: the oldest make room.
    package static let maximumCount = 20
    private static let remedy = "spotter web url"

    private struct Ticket: Codable {
        let role: WebRole
        /// Milliseconds since 1970.
        let expiry: Int64

        enum CodingKeys: String, CodingKey {
            case role
            case expiry = "expiry_ms"
        }

        /// A clock that was set back must not make a link last longer. A minute is left to small corrections.
        func isValid(_ now: Date) -> Bool {
            let left = expiry - Timestamp.milliseconds(now)
            return left > 0 && left <= (OneTimeTokens.lifetime.components.seconds + 60) * 1000
        }
    }

    private let folder: String

    /// - Parameter folder: the folder of the database. It need not exist yet.
    package init(folder: URL) { self.folder = folder.path }

    /// Makes a token of 32 hexadecimal digits.
    ///
    /// - Throws: ``AccessError``.
    package func make(_ role: WebRole, now: Date) throws -> String {
        let tokens = try PrivateFolder.make(folder, remedy: Self.remedy).makeSubfolder(Self.name, remedy: Self.remedy)
        try tokens.lock()
        var kept = try Self.clean(tokens, now)
        while kept.count >= Self.maximumCount { try tokens.remove(kept.removeFirst()) }
        let token = Secrets.hex(Secrets.random(16))
        let expiry = Timestamp.milliseconds(now) + Self.lifetime.components.seconds * 1000
        try tokens.write(JSONText.encode(Ticket(role: role, expiry: expiry)), to: SHA256.hex(of: token.utf8))
        return token
    }

    /// Uses a token up.
    ///
    /// - Returns: its role; `nil` when it never existed, was used before, or has expired.
    /// - Throws: ``AccessError``.
    package func take(_ token: String, now: Date) throws -> WebRole? {
        // The form comes first: the name of a file is made of it.
        guard token.utf8.count == 32, token.utf8.allSatisfy({ Self.digits.contains($0) }),
            let tokens = try PrivateFolder(folder, remedy: Self.remedy)?.subfolder(Self.name, remedy: Self.remedy)
        else { return nil }
        let name = SHA256.hex(of: token.utf8)
        guard let file = try tokens.read(name), try tokens.remove(name) else { return nil }
        let ticket = Self.ticket(file.content)
        return ticket?.isValid(now) == true ? ticket?.role : nil
    }

    /// Makes every link useless. A person who has one would come in with the old password's rights.
    ///
    /// - Throws: ``AccessError``.
    package func removeAll() throws {
        guard let tokens = try PrivateFolder(folder, remedy: Self.remedy)?.subfolder(Self.name, remedy: Self.remedy)
        else { return }
        try tokens.lock()
        for name in try tokens.names() { try tokens.remove(name) }
    }

    private static let digits = Set("0123456789abcdef".utf8)

    /// A file of another form counts as expired.
    private static func ticket(_ data: Data) -> Ticket? { try? JSONDecoder().decode(Ticket.self, from: data) }

    /// Removes what is expired or left by a crash.
    ///
    /// - Returns: the names of the others, the oldest first.
    private static func clean(_ tokens: PrivateFolder, _ now: Date) throws -> [String] {
        var kept: [(name: String, expiry: Int64)] = []
        for name in try tokens.names() {
            guard let file = try tokens.read(name) else { continue }
            if !name.hasSuffix(".new"), let ticket = ticket(file.content), ticket.isValid(now) {
                kept.append((name, ticket.expiry))
            } else {
                try tokens.remove(name)
            }
        }
        return kept.sorted { ($0.expiry, $0.name) < ($1.expiry, $1.name) }.map(\.name)
    }
}
