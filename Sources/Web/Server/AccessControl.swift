import FlyingFox
import Foundation
import Logging

/// Decides who may do what: by the host that was asked for, the page that asks, and the log-in.
struct AccessControl: Sendable {
    private let address: ListenAddress
    /// Further names of this server, such as a proxy's.
    private let hosts: [String]
    private let passwords: PasswordFile
    private let tokens: OneTimeTokens
    private let limiter = LoginLimiter()

    init(address: ListenAddress, hosts: [String], passwords: PasswordFile, tokens: OneTimeTokens) {
        self.address = address
        self.hosts = hosts.map { $0.lowercased() }
        self.passwords = passwords
        self.tokens = tokens
    }

    /// Refuses other names of this machine: with a name of its own, a foreign web page could reach the server through
    /// a visitor's browser (DNS rebinding). An address in figures cannot be rebound.
    func checkHost(_ request: HTTPRequest) throws {
        guard let header = request.headers[.host], let host = HostName(header: header) else {
            throw WebFailure(.badRequest, "bad_host", "The request names no host.")
        }
        if host.isLoopback || hosts.contains(host.text) { return }
        if !address.isLoopback, host.isNumeric || isOwnName(host.text) { return }
        throw WebFailure(
            HTTPStatusCode(421, phrase: "Misdirected Request"), "bad_host",
            "This server does not go by the name '\(host.text.prefix(100))': add it to web.hosts.")
    }

    private func isOwnName(_ name: String) -> Bool {
        let own = ProcessInfo.processInfo.hostName.lowercased()
        let short = own.split(separator: ".").first.map(String.init) ?? own
        return [own, short, short + ".local"].contains(name)
    }

    /// Refuses requests that another site's page sends.
    func checkOrigin(_ request: HTTPRequest) throws {
        let origin = request.headers[HTTPHeader("Origin")]?.lowercased()
        let host = request.headers[.host]?.lowercased() ?? ""
        guard origin == "http://\(host)" || origin == "https://\(host)" else {
            throw WebFailure(
                .forbidden, "bad_origin", "A change must come from this page: send the header Origin: http://\(host).")
        }
    }

    /// What the client may do; `nil` without a log-in.
    ///
    /// - Throws: the error of a damaged password file.
    func role(of request: HTTPRequest) throws -> WebRole? {
        if isOpen(to: request) { return .operator }
        guard let header = request.headers[.cookie] else { return nil }
        return SessionCookie.role(inHeader: header, now: Date(), key: try passwords.signingKey())
    }

    /// Whether no log-in is needed: on this machine itself, as long as nobody has made a password.
    private func isOpen(to request: HTTPRequest) -> Bool {
        guard !isForwarded(request) else { return false }
        guard address.isLoopback, let host = request.headers[.host].flatMap(HostName.init(header:)), host.isLoopback
        else {
            return false
        }
        // A damaged file counts as a password; the log-in then says what is wrong.
        return (try? passwords.hasPassword) == false
    }

    /// Whether the request came through a proxy. It may name this machine as the host, and forwards those of others.
    private func isForwarded(_ request: HTTPRequest) -> Bool {
        ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"].contains {
            request.headers[HTTPHeader($0)] != nil
        }
    }

    /// Whether nobody can read along on the way to the client: it is on this machine, or a proxy here speaks TLS with
    /// it. A plain proxy names another host, or says that it forwards.
    func isConfidential(_ request: HTTPRequest) -> Bool {
        guard isLoopback(peerAddress(request)) else { return false }
        if isEncrypted(request) { return true }
        guard let host = request.headers[.host].flatMap(HostName.init(header:)) else { return false }
        return host.isLoopback && !isForwarded(request)
    }

    /// Whether a proxy says that the browser came over HTTPS.
    private func isEncrypted(_ request: HTTPRequest) -> Bool {
        request.headers[HTTPHeader("X-Forwarded-Proto")]?.lowercased() == "https"
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
            throw WebFailure(
                .tooManyRequests, "too_many_attempts", "Too many wrong passwords: wait \(seconds) s.",
                headers: [HTTPHeader("Retry-After"): String(seconds)])
        }
        guard let role = try await role(for: password) else {
            throw WebFailure(
                .unauthorized, "wrong_password",
                "This password is wrong. 'spotter web password' on the node makes a new one.")
        }
        limiter.succeeded(from: client)
        return (role, try cookie(role, request))
    }

    /// Checks a password on a thread of its own: that takes a tenth of a second by design.
    private func role(for password: String) async throws -> WebRole? {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [passwords] in
                continuation.resume(with: Result { try passwords.role(for: password) })
            }
        }
    }

    /// Takes a token of `spotter web url`, which works once.
    ///
    /// - Returns: the role and the cookie to set.
    /// - Throws: ``WebFailure`` for a used, old or wrong token.
    func enter(token: String, _ request: HTTPRequest) throws -> (role: WebRole, cookie: String) {
        guard let role = try tokens.take(token, now: Date()) else {
            throw WebFailure(
                .unauthorized, "link_used", "This link has been used or is too old: 'spotter web url' makes a new one.")
        }
        return (role, try cookie(role, request))
    }

    private func cookie(_ role: WebRole, _ request: HTTPRequest) throws -> String {
        let value = SessionCookie.make(role, now: Date(), key: try passwords.signingKey())
        return SessionCookie.header(value, isSecure: isEncrypted(request))
    }

    /// The client's address. A proxy on this machine adds it as the last one of a list; clients may forge the others.
    private func clientAddress(_ request: HTTPRequest) -> String {
        let direct = peerAddress(request)
        guard isLoopback(direct), let list = request.headers[.xForwardedFor] else { return direct }
        return list.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? direct
    }

    /// The other end of the connection, which may be a proxy's. A socket for IPv6 has IPv4 addresses with a prefix.
    private func peerAddress(_ request: HTTPRequest) -> String {
        let address = request.peer.lastIndex(of: ":").map { String(request.peer[..<$0]) } ?? ""
        let prefix = "::ffff:"
        return address.hasPrefix(prefix) && address.contains(".") ? String(address.dropFirst(prefix.count)) : address
    }

    private func isLoopback(_ address: String) -> Bool { ListenAddress("[\(address)]:0")?.isLoopback ?? false }
}
