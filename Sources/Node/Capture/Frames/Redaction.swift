/// Hides secrets in everything that is shown or logged.
///
/// The secrets are in camera addresses such as `rtsp://user:password@host/path?token=…`. The broker's password needs no
/// redaction: the configuration holds only the path of its file.
public enum Redaction {
    /// The text with `***` in place of each address's password, and of each query item whose name sounds like a secret.
    public static func covered(in text: String) -> String {
        guard text.contains("://") else { return text }
        // A password may contain a slash. Digits followed by a slash are a port, not a password.
        return text.replacing(/:\/\/([^:@\/\s"]*):(?!\d+\/)[^\s"]*@/) { "://\($0.output.1):***@" }
            .replacing(
                #/
                ([?&;] [^=&;\s"]* (?i:pas|pwd|psw|token|key|secret|auth|sig|cred|session|jwt) [^=&;\s"]* =)
                (?!\*\*\*) [^&;\s"]+
                /#
            ) { "\($0.output.1)***" }
    }

    /// An address with `***` in place of everything after its host. The path of a webhook is its password.
    public static func host(of address: String) -> String {
        covered(in: address).replacing(/(https?:\/\/[^\/\s"?#]+)[\/?#][^\s"]+/) { "\($0.output.1)/***" }
    }

    /// The last part of a source's path without secrets, as written into files that may be passed on.
    public static func name(of source: String) -> String {
        let address = covered(in: source)
        guard let scheme = address.firstRange(of: "://") else { return lastPart(address[...]) }
        let path = address[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        return lastPart(path.drop { $0 != "/" })
    }

    private static func lastPart(_ path: Substring) -> String {
        path.split(separator: "/").last.map(String.init) ?? "a stream"
    }
}
