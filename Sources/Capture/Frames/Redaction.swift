/// Covers what nobody but its owner may read, in everything that is shown or logged.
///
/// The broker's password is never part of the configuration, only the name of its file. What is left are addresses of
/// cameras: `rtsp://user:password@host/path?token=…`.
public enum Redaction {
    /// The text with `***` in place of each address's password, and of each query item whose name sounds like a secret.
    public static func covered(in text: String) -> String {
        guard text.contains("://") else { return text }
        // A password may hold a slash, though no server would take it; a port before a path is none.
        return text.replacing(/:\/\/([^:@\/\s"]*):(?!\d+\/)[^\s"]*@/) { "://\($0.output.1):***@" }
            .replacing(
                #/
                ([?&;] [^=&;\s"]* (?i:pas|pwd|psw|token|key|secret|auth|sig|cred|session|jwt) [^=&;\s"]* =)
                (?!\*\*\*) [^&;\s"]+
                /#
            ) { "\($0.output.1)***" }
    }

    /// How a file made of a source calls it, for whoever the file is given to: the last part of its path.
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
