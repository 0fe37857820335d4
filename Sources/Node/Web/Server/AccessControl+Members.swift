import Foundation
import HTTPServing
import History
import Workouts

/// Members log in with a nickname and a code, and see what is theirs.
extension AccessControl {
    /// The member who has logged in; `nil` for nobody, and where the code was taken back or made anew.
    ///
    /// - Throws: the error of a damaged password file, ``WebFailure`` when the node is too busy, `HistoryError`.
    func member(of request: HTTPRequest) async throws -> MemberCode? {
        guard let cookie = request.headers[.cookie], cookie.contains(MemberCookie.name) else { return nil }
        return try await pool.ask(.short) { [passwords, database] _ in
            let key = try passwords.signingKey()
            guard let id = MemberCookie.id(inHeader: cookie, now: Date(), key: key) else { return nil }
            return try HistoryQuery(path: database).memberCode(id: id)
        }
    }

    /// Checks a nickname and a code.
    ///
    /// - Returns: the cookie to set.
    /// - Throws: ``WebFailure`` for a wrong one, or after too many.
    func logIn(nickname: String, code: String, _ request: HTTPRequest) async throws -> String {
        let client = clientAddress(request)
        // A text that is no name counts for nobody, but is as slow as a wrong one.
        let key = PersonName(nickname).map { PersonName.key($0.text) } ?? ""
        try limit(client, key)
        let found: (id: String, key: [UInt8])?
        do {
            found = try await check(key, code)
        } catch  where !(error is CancellationError) {
            memberLimiter.abandoned(from: client)
            nicknameLimiter.abandoned(from: key)
            throw error
        }
        guard let found else {
            failures.tell(.wrongCode, from: client, now: .now)
            throw WebFailure(
                .unauthorized, "wrong_code",
                "No member has this nickname and code: ask at the desk for a new code.")
        }
        memberLimiter.succeeded(from: client)
        nicknameLimiter.succeeded(from: key)
        return MemberCookie.header(
            MemberCookie.make(found.id, now: Date(), key: found.key), isSecure: isEncrypted(request))
    }

    /// Begins a log-in, unless there were too many.
    private func limit(_ client: String, _ nickname: String) throws {
        let first = memberLimiter.begin(from: client, now: .now)
        let seconds = first ?? nicknameLimiter.begin(from: nickname, now: .now)
        guard let seconds else { return }
        // Only tries that are let through count.
        if first == nil { memberLimiter.abandoned(from: client) }
        failures.tell(.tooMany, from: client, now: .now)
        throw WebFailure(
            .tooManyRequests, "too_many_attempts", "Too many wrong codes: wait \(seconds) s.",
            headers: [.retryAfter: String(seconds)])
    }

    /// Checks a code: that takes a tenth of a second by design, also for a nickname that nobody has.
    private func check(_ nickname: String, _ code: String) async throws -> (id: String, key: [UInt8])? {
        try await pool.ask(.short) { [passwords, database] _ in
            let member = try HistoryQuery(path: database).memberCode(nickname: nickname)
            guard let isRight = MemberSecret.matches(code, member?.code) else {
                throw AccessError.noMemory(path: passwords.path)
            }
            guard isRight, let member else { return nil }
            return (member.id, try passwords.signingKey())
        }
    }
}

extension WebFailure {
    /// Nobody has logged in with a code.
    static let noMember = WebFailure(
        .unauthorized, "code_needed", "Log in with your nickname and code first, at /member.")
}
