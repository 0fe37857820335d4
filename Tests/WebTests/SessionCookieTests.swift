import Foundation
import Testing
import Web

@Suite struct SessionCookieTests {
    private let now = Date(timeIntervalSince1970: 1_795_000_000)
    private let key = [UInt8](repeating: 7, count: 32)

    private func role(_ value: String, after seconds: Double = 0) -> WebRole? {
        SessionCookie.role(of: value, now: now + seconds, key: key)
    }

    @Test(arguments: WebRole.allCases)
    func `a cookie keeps its role for thirty days`(wanted: WebRole) {
        let value = SessionCookie.make(wanted, now: now, key: key)
        #expect(value.wholeMatch(of: /v1\.(wall|viewer|operator)\.1797592000\.[0-9a-f]{32}\.[0-9a-f]{64}/) != nil)
        #expect(role(value) == wanted && role(value, after: 30 * 86_400 - 1) == wanted)
        #expect(role(value, after: 30 * 86_400) == nil)
    }

    @Test func `a signature of another program is the same`() {
        // printf 'v1.viewer.1797592000.00' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07 (32 bytes)
        let code = "d0e2060bda808cbefa377d1b1dc886688c413f46be80802e1fac868e8b05ec6e"
        #expect(role("v1.viewer.1797592000.00.\(code)") == .viewer)
    }

    @Test func `another key makes it invalid`() {
        let value = SessionCookie.make(.operator, now: now, key: key)
        #expect(SessionCookie.role(of: value, now: now, key: [UInt8](repeating: 8, count: 32)) == nil)
    }

    @Test func `no part of it can be changed`() {
        let value = SessionCookie.make(.viewer, now: now, key: key)
        #expect(role(value.replacing("viewer", with: "operator")) == nil)
        #expect(role(value.replacing("1797592000", with: "1897592000")) == nil)
        #expect(role(value.replacing("v1.", with: "v2.")) == nil)
        for index in value.indices {
            var changed = value
            changed.replaceSubrange(index...index, with: value[index] == "0" ? "1" : "0")
            #expect(role(changed) == nil, "\(changed)")
        }
    }

    @Test func `no beginning of it is valid, and nothing may follow`() {
        let value = SessionCookie.make(.viewer, now: now, key: key)
        for length in 0..<value.count { #expect(role(String(value.prefix(length))) == nil) }
        for tail in [" ", "0", ".", ".0", "\n", "\u{0}"] { #expect(role(value + tail) == nil) }
    }

    @Test(arguments: [
        "", ".", "....", ".....", "v1", "v1.operator.9999999999..", "v1.operator.9999999999.00.00", "é.é.é.é.é",
        "v1.operator.9999999999.00." + String(repeating: "0", count: 64), String(repeating: ".", count: 100_000),
        String(repeating: "a", count: 1_000_000),
    ])
    func `garbage is nobody`(value: String) { #expect(role(value) == nil) }

    @Test func `the header keeps scripts, other sites and plain connections out`() {
        let header = SessionCookie.header("abc", isSecure: false)
        #expect(header == "spotter_session=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict")
        #expect(SessionCookie.header("abc", isSecure: true) == header + "; Secure")
        #expect(SessionCookie.clearingHeader == "spotter_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict")
    }

    @Test(arguments: [
        ("spotter_session=a", ["a"]), ("x=1; spotter_session=a; y=2", ["a"]), ("spotter_session=a;b=c", ["a"]),
        ("spotter_session=a; spotter_session=b", ["a", "b"]), ("  spotter_session = a ", ["a"]),
        ("spotter_session=a=b", ["a=b"]), ("spotter_session=", [""]), ("spotter_session", []), ("", []), (";;=;", []),
        ("xspotter_session=a; spotter_session2=b; Spotter_Session=c", []),
    ])
    func `a request's cookies are told apart`(header: String, values: [String]) {
        #expect(SessionCookie.values(inHeader: header) == values)
    }

    @Test func `the highest valid role of a request counts`() {
        let viewer = SessionCookie.make(.viewer, now: now, key: key)
        let owner = SessionCookie.make(.operator, now: now, key: key)
        let named = [viewer, "garbage", owner].map { "spotter_session=\($0)" }
        let header = (["a=b"] + named).joined(separator: "; ")
        #expect(SessionCookie.role(inHeader: header, now: now, key: key) == .operator)
        #expect(SessionCookie.role(inHeader: "spotter_session=garbage; \(named[0])", now: now, key: key) == .viewer)
        #expect(SessionCookie.role(inHeader: "a=\(owner)", now: now, key: key) == nil)
        let flood = Array(repeating: named[1], count: 100) + [named[2]]
        #expect(SessionCookie.role(inHeader: flood.joined(separator: ";"), now: now, key: key) == nil)
    }

    @Test func `an operator may do all that a viewer may, and a viewer all that the wall may`() {
        #expect(WebRole.operator > .viewer && WebRole.viewer < .operator && WebRole.wall < .viewer)
        #expect(!(WebRole.viewer < .viewer) && !(WebRole.operator < .operator))
        #expect(WebRole.allCases.map(\.rawValue) == ["wall", "viewer", "operator"])
    }
}
