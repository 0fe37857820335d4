import Foundation
import HTTPServing
import Logging

/// Decides who may do what: by the host that was asked for, the page that asks, and the log-in.
struct AccessControl: Sendable {
    private let address: ListenAddress
    /// The names that it goes by.
    let hosts: KnownHosts
    let passwords: PasswordFile
    private let tokens: OneTimeTokens
    private let limiter = LoginLimiter()
    /// The same for codes of members: whoever tries them keeps nobody from logging in with a password.
    let memberLimiter = LoginLimiter()
    /// The codes that may be tried for one nickname in an hour, from wherever: 240 of a million in a day.
    let nicknameLimiter = LoginLimiter(perAddress: 10, inAll: .max, memory: .seconds(3600))
    /// The database, which has the codes of members.
    let database: String
    let pool: WorkPool
    let failures: FailedLogins

    /// - Parameters:
    ///   - hosts: further names of this server, such as a proxy's.
    ///   - database: the path of the database, which has the codes of members.
    ///   - pool: where files are read and passwords are checked.
    ///   - logger: gets the log-ins that failed.
    init(
        address: ListenAddress, hosts: [String], passwords: PasswordFile, tokens: OneTimeTokens, database: String,
        pool: WorkPool, logger: Logger
    ) {
        self.address = address
        (self.database, self.pool) = (database, pool)
        failures = FailedLogins(logger: logger)
        self.hosts = KnownHosts(address: address, others: hosts, advice: "add it to web.hosts")
        self.passwords = passwords
        self.tokens = tokens
    }

    /// Refuses what another site's page makes a browser ask for. It could read nothing, but cause work. A link to a page
    /// may be followed from anywhere.
    func checkPage(_ request: HTTPRequest) throws {
        guard request.isOfForeignPage else { return }
        guard request.isNavigation, !request.path.hasPrefix("/api/") else { throw WebFailure.foreignPage }
    }

    /// Refuses requests that another site's page sends.
    func checkOrigin(_ request: HTTPRequest) throws {
        let origin = request.headers[.origin]?.lowercased()
        let host = request.headers[.host]?.lowercased() ?? ""
        guard origin == "http://\(host)" || origin == "https://\(host)" else {
            throw WebFailure(
                .forbidden, "bad_origin", "A change must come from this page: send the header Origin: http://\(host).")
        }
    }

    /// What the client may do; `nil` without a log-in.
    ///
    /// - Throws: the error of a damaged password file, or ``WebFailure`` when the node is too busy to look.
    func role(of request: HTTPRequest) async throws -> WebRole? {
        let (isHere, cookie) = (isHere(request), request.headers[.cookie])
        guard isHere || cookie != nil else { return nil }
        return try await pool.ask(.short) { [passwords] _ in
            // On this machine itself no log-in is needed, as long as nobody has made a password. A damaged file counts
            // as a password; the log-in then says what is wrong.
            if isHere, (try? passwords.hasPassword) == false { return .operator }
            guard let cookie else { return nil }
            return SessionCookie.role(inHeader: cookie, now: Date(), key: try passwords.signingKey())
        }
    }

    /// How often the log-ins may have ended so far.
    var changes: Int { passwords.changes }

    /// Looks whether a password was made meanwhile.
    ///
    /// - Returns: ``changes``.
    /// - Throws: ``WebFailure`` when the node is too busy to look.
    func look() async throws -> Int { try await pool.ask(.short) { [passwords] _ in passwords.look() } }

    /// Whether the client is on this machine, as far as the request shows.
    private func isHere(_ request: HTTPRequest) -> Bool {
        guard !isForwarded(request), address.isLoopback else { return false }
        return request.headers[.host].flatMap(HostName.init(header:))?.isLoopback ?? false
    }

    /// Whether the request came through a proxy. It may name this machine as the host, and forwards those of others.
    private func isForwarded(_ request: HTTPRequest) -> Bool {
        ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"].contains {
            request.headers[HTTPHeader($0)] != nil
        }
    }

    /// Whether nobody can read along on the way to the client: a proxy here speaks TLS with it, or the client is on this
    /// machine.
    ///
    /// A proxy that hides itself looks like a client here, and may speak plain HTTP with others. But a browser sends
    /// `Sec-Fetch-Site` only where it regards the connection as safe: to its own machine, and over TLS. So it must be there.
    /// A client that adds it by hand gives away only what is their own.
    func isConfidential(_ request: HTTPRequest) -> Bool {
        guard request.client.isLoopback else { return false }
        if isEncrypted(request) { return true }
        let isProven = request.headers["Sec-Fetch-Site"] != nil && !request.isOfForeignPage
        guard let host = request.headers[.host].flatMap(HostName.init(header:)) else { return false }
        return isProven && host.isLoopback && !isForwarded(request)
    }

    /// Whether a proxy says that the browser came over HTTPS.
    func isEncrypted(_ request: HTTPRequest) -> Bool {
        request.headers["X-Forwarded-Proto"]?.lowercased() == "https"
    }

    /// Sends browsers to the log-in page, and tells programs.
    func refusal(of request: HTTPRequest) -> WebFailure {
        let isPage = !request.path.hasPrefix("/api/")
        let next = request.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/"
        return WebFailure(
            isPage ? .seeOther : .unauthorized, "login_needed", "Log in first, at /login.",
            headers: isPage ? [.location: "/login?next=\(next)"] : [:])
    }

    /// Checks a password.
    ///
    /// - Returns: the role and the cookie to set.
    /// - Throws: ``WebFailure`` for a wrong one, or after too many.
    func logIn(password: String, _ request: HTTPRequest) async throws -> (role: WebRole, cookie: String) {
        let client = clientAddress(request)
        if let seconds = limiter.begin(from: client, now: .now) {
            failures.tell(.tooMany, from: client, now: .now)
            throw WebFailure(
                .tooManyRequests, "too_many_attempts", "Too many wrong passwords: wait \(seconds) s.",
                headers: [.retryAfter: String(seconds)])
        }
        let found: (role: WebRole, key: [UInt8])?
        do {
            found = try await check(password)
        } catch  where !(error is CancellationError) {
            // Nobody has tried the password.
            limiter.abandoned(from: client)
            throw error
        }
        guard let found else {
            failures.tell(.wrongPassword, from: client, now: .now)
            throw WebFailure(
                .unauthorized, "wrong_password",
                "This password is wrong. 'spotter web password' on the node makes a new one.")
        }
        limiter.succeeded(from: client)
        return (found.role, cookie(found.role, found.key, request))
    }

    /// Checks a password: that takes a tenth of a second by design.
    private func check(_ password: String) async throws -> (role: WebRole, key: [UInt8])? {
        try await pool.ask(.short) { [passwords] _ in
            try passwords.role(for: password).map { ($0, try passwords.signingKey()) }
        }
    }

    /// Takes a token of `spotter web url`, which works once.
    ///
    /// - Returns: the role and the cookie to set.
    /// - Throws: ``WebFailure`` for a used, old or wrong token.
    func enter(token: String, _ request: HTTPRequest) async throws -> (role: WebRole, cookie: String) {
        let found = try await pool.change { [tokens, passwords] in
            try tokens.take(token, now: Date()).map { (role: $0, key: try passwords.signingKey()) }
        }
        guard let found else {
            failures.tell(.uselessLink, from: clientAddress(request), now: .now)
            throw WebFailure(
                .unauthorized, "link_used", "This link has been used or is too old: 'spotter web url' makes a new one.")
        }
        return (found.role, cookie(found.role, found.key, request))
    }

    private func cookie(_ role: WebRole, _ key: [UInt8], _ request: HTTPRequest) -> String {
        SessionCookie.header(SessionCookie.make(role, now: Date(), key: key), isSecure: isEncrypted(request))
    }

    /// The client's address. A proxy on this machine adds it as the last one of a list; clients may forge the others.
    func clientAddress(_ request: HTTPRequest) -> String {
        let direct = request.client
        guard direct.isLoopback, let list = request.headers["X-Forwarded-For"] else { return direct.text }
        let last = list.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        // A proxy that passes the header on as it came would let clients write what they like into the log.
        return last.flatMap { Self.isAddress($0) ? $0 : nil } ?? direct.text
    }

    /// Whether a text is an IPv4 or IPv6 address.
    private static func isAddress(_ text: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }
}
