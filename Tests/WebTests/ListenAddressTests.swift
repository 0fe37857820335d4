import HTTPServing
import Testing
import Web

@Suite struct ListenAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("localhost:80", "127.0.0.1", 80, true),
            ("127.9.9.9:1", "127.9.9.9", 1, true), ("0.0.0.0:8080", "0.0.0.0", 8080, false),
            ("192.168.1.20:65535", "192.168.1.20", 65535, false), ("127.0.0.1:0", "127.0.0.1", 0, true),
            ("[::1]:8080", "::1", 8080, true), ("[::]:8080", "::", 8080, false),
            ("[fe80::1]:80", "fe80::1", 80, false), ("[127.0.0.1]:80", "127.0.0.1", 80, true),
            // Nobody writes these, and they count as reachable: a password is then needed.
            ("[::ffff:127.0.0.1]:80", "::ffff:127.0.0.1", 80, false),
            ("[0:0:0:0:0:0:0:1]:80", "0:0:0:0:0:0:0:1", 80, false),
        ] as [(String, String, UInt16, Bool)])
    func `an address and a port are read`(text: String, host: String, port: UInt16, isLoopback: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host && address.port == port && address.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", ":", ":8080", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:8080 ",
        " 127.0.0.1:80", "127.1:80", "0x7f.0.0.1:80", "127.0.0.1.:80", "256.0.0.1:80", "gym.local:80", "LOCALHOST:80",
        "[::1]", "::1", "[::1:80", "::1]:80", "[]:80", "[fe80::1%eth0]:80", "127.0.0.1\n:80", "127.0.0.1:80\n", "*:80",
    ])
    func `anything else is none`(text: String) { #expect(ListenAddress(text) == nil) }

    @Test(arguments: [
        ("gym.local", "gym.local"), ("GYM.Local:8080", "gym.local"), ("127.0.0.1:1", "127.0.0.1"), ("[::1]", "::1"),
        ("[::1]:8080", "::1"), ("[FE80::1]:65535", "fe80::1"), ("localhost:0", "localhost"),
    ])
    func `a Host header is read`(header: String, name: String) { #expect(HostName(header: header)?.text == name) }

    @Test(arguments: [
        "", ":", ":80", "[]", "[]:80", "[::1", "[::1]80", "[::1]:", "[::1]:x", "localhost:", "localhost:x",
        "localhost:80:80", "localhost:65536", "localhost:-1", "localhost: 80", "::1",
    ])
    func `a header of another form names no host`(header: String) { #expect(HostName(header: header) == nil) }

    @Test func `only the usual names mean this machine`() {
        for name in ["127.0.0.1", "localhost", "::1"] { #expect(HostName(name).isLoopback) }
        for name in [
            "127.0.0.2", "127.1", "0", "0.0.0.0", "2130706433", "0x7f.1", "localhost.", "::ffff:127.0.0.1", "",
            "localhost.evil.example", "127.0.0.1.evil.example", "evil.example",
        ] { #expect(!HostName(name).isLoopback, "\(name)") }
    }

    @Test func `addresses in figures are told from names`() {
        for name in ["192.168.1.20", "127.0.0.1", "::1", "fe80::1", "::ffff:1.2.3.4"] {
            #expect(HostName(name).isNumeric)
        }
        // A browser takes some of these for addresses, but writes them out in the header.
        for name in ["", "gym.local", "1", "1.2", "1.2.3.4.5", "1.2.3.256", "1.2.3.4 ", "::1%lo", "face", "[::1]"] {
            #expect(!HostName(name).isNumeric, "\(name)")
        }
    }
}
