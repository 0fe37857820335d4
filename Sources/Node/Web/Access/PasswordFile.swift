import Foundation
import Records
import Synchronization

/// The passwords of the node's page and the key that signs log-ins: `web-passwords.json` beside the database.
///
/// `spotter web password` renews it while the node runs. Every question looks whether the file has changed. Nobody who
/// only reads it can learn a password, but the key in it makes log-ins: only its owner may read it.
package final class PasswordFile: Sendable {
    /// The file's name.
    package static let name = "web-passwords.json"
    private static let remedy = "spotter web password"

    private struct Content: Codable, Equatable, Sendable {
        var passwords: [WebRole: StoredPassword] = [:]
        var signingKey = Data(Secrets.random(32))

        enum CodingKeys: String, CodingKey {
            case passwords
            case signingKey = "signing_key"
        }

        var isValid: Bool { signingKey.count == 32 && passwords.values.allSatisfy(\.isValid) }
    }

    private let folder: String
    private let known = Mutex<(fingerprint: PrivateFolder.Fingerprint, content: Content)?>(nil)
    /// What the last question found, and how often that was something new.
    private let seen = Mutex<(found: Found, changes: Int)>((.nothing, 0))
    private enum Found: Equatable {
        case nothing, damage
        case content(Content)
    }
    /// Each check takes 16 MB, so there is one at a time.
    private let check = Mutex(())

    /// - Parameter folder: the folder of the database. It need not exist yet.
    package init(folder: URL) { self.folder = folder.path }

    /// Where the file lies, or would lie.
    package var path: String { "\(folder)/\(Self.name)" }

    /// Whether anybody has a password.
    ///
    /// - Throws: ``AccessError`` for a damaged or unreadable file, which must let nobody in.
    package var hasPassword: Bool { get throws { try content()?.passwords.isEmpty == false } }

    /// Whose password this is; `nil` for a wrong one.
    ///
    /// It checks the passwords of all roles, whether or not they are set, and so takes the same time for each answer:
    /// 0.08 s on an x86 server, and well under a second on a Raspberry Pi 4 by estimate. Several at once wait for each
    /// other. Do not call it where other work waits.
    ///
    /// - Throws: ``AccessError``.
    package func role(for password: String) throws -> WebRole? {
        try check.withLock { _ in
            let passwords = try content()?.passwords ?? [:]
            var found: WebRole?
            for role in WebRole.allCases {
                guard let isRight = (passwords[role] ?? .nobody).matches(password) else {
                    throw AccessError.noMemory(path: path)
                }
                if isRight { found = role }
            }
            // A password that was replaced meanwhile must not get a cookie with the new key.
            return try content()?.passwords == passwords ? found : nil
        }
    }

    /// The key that signs cookies, 32 bytes. A file without passwords is made for it when there is none.
    ///
    /// - Throws: ``AccessError``.
    package func signingKey() throws -> [UInt8] {
        Array(try (content() ?? change { $0 }).signingKey)
    }

    /// Gives a role a new password, and ends all log-ins.
    ///
    /// - Returns: the password, which is stored nowhere.
    /// - Throws: ``AccessError``; the passwords are then as before.
    package func generate(_ role: WebRole) throws -> String {
        let password = StoredPassword.random()
        guard let stored = StoredPassword(of: password) else { throw AccessError.noMemory(path: path) }
        _ = try change { before in
            var passwords = before.passwords
            passwords[role] = stored
            return Content(passwords: passwords)
        }
        return password
    }

    /// How often another file was found than before: each time all log-ins may have ended.
    package var changes: Int { seen.withLock { $0.changes } }

    /// Looks whether the file has changed.
    ///
    /// - Returns: ``changes``.
    package func look() -> Int {
        // Damage counts as a change, too.
        _ = try? content()
        return changes
    }

    /// The file as it is now; `nil` when there is none.
    private func content() throws -> Content? {
        let result = Result { try readContent() }
        let found: Found =
            switch result {
            case .success(let content?): .content(content)
            case .success(nil): .nothing
            case .failure: .damage
            }
        seen.withLock { seen in
            if seen.found != found { seen = (found, seen.changes + 1) }
        }
        return try result.get()
    }

    private func readContent() throws -> Content? {
        try known.withLock { known in
            guard let folder = try PrivateFolder(folder, remedy: Self.remedy),
                let fingerprint = try folder.fingerprint(of: Self.name)
            else { return nil }
            if let known, known.fingerprint == fingerprint { return known.content }
            guard let file = try folder.read(Self.name) else { return nil }
            let content = try decode(file.content)
            known = (file.fingerprint, content)
            return content
        }
    }

    /// Changes the file, one process at a time.
    private func change(_ body: (Content) -> Content) throws -> Content {
        let folder = try PrivateFolder.make(folder, remedy: Self.remedy)
        try folder.lock()
        let before = try folder.read(Self.name).map { try decode($0.content) }
        let content = body(before ?? Content())
        if content != before { try folder.write(JSONText.encode(content) + "\n", to: Self.name) }
        return content
    }

    private func decode(_ data: Data) throws(AccessError) -> Content {
        do {
            let content = try JSONDecoder().decode(Content.self, from: data)
            if content.isValid { return content }
        } catch {
            throw .damaged(path: path, cause: "it holds no passwords of this program", remedy: Self.remedy)
        }
        throw .damaged(path: path, cause: "a value in it has the wrong size", remedy: Self.remedy)
    }
}
