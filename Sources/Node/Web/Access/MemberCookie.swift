import Foundation

/// The cookie of a member who has logged in with a code: `m1.<id of the code>.<expiry seconds>.<HMAC hex>`.
///
/// It gives no role. A code that is made anew or taken back has another id or none, which ends the log-in; so does a new
/// password of the page, whose key signs it.
package enum MemberCookie {
    /// The cookie's name.
    package static let name = "spotter_member"
    /// How long a log-in lasts, in seconds: 30 days.
    package static let lifetimeSeconds = 30 * 86_400

    /// A log-in that begins now.
    ///
    /// - Parameter key: 32 bytes; see ``PasswordFile/signingKey()``.
    package static func make(_ id: String, now: Date, key: [UInt8]) -> String {
        let claim = "m1.\(id).\(Int(now.timeIntervalSince1970) + lifetimeSeconds)"
        return "\(claim).\(SessionCookie.signature(of: claim, key))"
    }

    /// The id of the code in a request's `Cookie` header; `nil` without a valid log-in.
    package static func id(inHeader header: String, now: Date, key: [UInt8]) -> String? {
        SessionCookie.values(inHeader: header, named: name).prefix(8).lazy
            .compactMap { id(of: $0, now: now, key: key) }.first
    }

    private static func id(of value: String, now: Date, key: [UInt8]) -> String? {
        guard value.utf8.count <= 200 else { return nil }
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4,
            Secrets.areEqual(
                Array(parts[3].utf8),
                Array(SessionCookie.signature(of: parts[..<3].joined(separator: "."), key).utf8)),
            parts[0] == "m1", let expiry = Int(parts[2]), now.timeIntervalSince1970 < Double(expiry)
        else { return nil }
        return String(parts[1])
    }

    /// The text of `Set-Cookie` that logs in.
    package static func header(_ value: String, isSecure: Bool) -> String {
        "\(name)=\(value); Max-Age=\(lifetimeSeconds); \(SessionCookie.attributes)" + (isSecure ? "; Secure" : "")
    }

    /// The text of `Set-Cookie` that logs out.
    package static let clearingHeader = "\(name)=; Max-Age=0; \(SessionCookie.attributes)"
}
