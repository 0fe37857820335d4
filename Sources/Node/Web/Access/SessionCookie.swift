import Foundation

/// The cookie of a person who has logged in: `v1.<role>.<expiry seconds>.<random id>.<HMAC hex>`.
///
/// The node keeps no list of log-ins. The key of ``PasswordFile`` signs each of them, and a new key ends them all.
package enum SessionCookie {
    /// The cookie's name.
    package static let name = "spotter_session"
    /// How long a log-in lasts, in seconds: 30 days.
    package static let lifetimeSeconds = 30 * 86_400

    /// A log-in that begins now.
    ///
    /// - Parameter key: 32 bytes; see ``PasswordFile/signingKey()``.
    package static func make(_ role: WebRole, now: Date, key: [UInt8]) -> String {
        let expiry = Int(now.timeIntervalSince1970) + lifetimeSeconds
        let claim = "v1.\(role.rawValue).\(expiry).\(Secrets.hex(Secrets.random(16)))"
        return "\(claim).\(signature(of: claim, key))"
    }

    /// The role of a cookie's value; `nil` unless this key signed it and it has not expired.
    package static func role(of value: String, now: Date, key: [UInt8]) -> WebRole? {
        guard value.utf8.count <= 200 else { return nil }
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        // The signature comes first: nothing else of a stranger's text is looked at.
        guard parts.count == 5,
            Secrets.areEqual(
                Array(parts[4].utf8), Array(signature(of: parts[..<4].joined(separator: "."), key).utf8)),
            parts[0] == "v1", let expiry = Int(parts[2]), now.timeIntervalSince1970 < Double(expiry)
        else { return nil }
        return WebRole(rawValue: String(parts[1]))
    }

    /// The role in a request's `Cookie` header; `nil` when nobody has logged in.
    ///
    /// A browser sends the cookies of every program on this machine, and may send several of this name. The highest
    /// valid role of the first eight counts.
    package static func role(inHeader header: String, now: Date, key: [UInt8]) -> WebRole? {
        values(inHeader: header).prefix(8).compactMap { role(of: $0, now: now, key: key) }.max()
    }

    /// Every value of this cookie in a `Cookie` header (RFC 6265, section 4.2.1), in its order.
    package static func values(inHeader header: String) -> [String] { values(inHeader: header, named: name) }

    /// Every value of a cookie in a `Cookie` header, in its order.
    static func values(inHeader header: String, named name: String) -> [String] {
        header.split(separator: ";").compactMap { pair in
            guard let sign = pair.firstIndex(of: "="), trimmed(pair[..<sign]) == name else { return nil }
            return trimmed(pair[pair.index(after: sign)...])
        }
    }

    /// The text of `Set-Cookie` that logs in. Scripts cannot read the cookie, and other sites cannot send it.
    ///
    /// - Parameter isSecure: whether the page is served over HTTPS; the browser then never sends it over HTTP.
    package static func header(_ value: String, isSecure: Bool) -> String {
        "\(name)=\(value); Max-Age=\(lifetimeSeconds); \(attributes)" + (isSecure ? "; Secure" : "")
    }

    /// The text of `Set-Cookie` that logs out.
    package static let clearingHeader = "\(name)=; Max-Age=0; \(attributes)"

    /// What all cookies of this node say.
    static let attributes = "Path=/; HttpOnly; SameSite=Strict"

    /// The HMAC of a claim in hexadecimal digits.
    static func signature(of claim: String, _ key: [UInt8]) -> String {
        precondition(key.count == 32, "a signing key has 32 bytes")
        return Secrets.hex(Secrets.signature(of: claim, key: key))
    }

    private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }
}
