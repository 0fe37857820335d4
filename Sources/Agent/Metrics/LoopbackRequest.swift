/// A request to ``LoopbackServer``, or why it is refused.
enum LoopbackRequest: Equatable {
    /// A GET of this path.
    case path(String)
    /// The status line without the version, and the reason.
    case refused(String, String)

    /// Parses a request.
    ///
    /// - Parameter head: the request's lines up to the empty one.
    static func read(_ head: String) -> LoopbackRequest {
        let lines = head.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" }
        let words = lines[0].split(separator: " ")
        guard words.count >= 2 else { return .refused("400 Bad Request", "not HTTP") }
        let hosts = lines.dropFirst().prefix { !$0.isEmpty }.compactMap { line -> Substring? in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "host" else { return nil }
            return line[line.index(after: colon)...]
        }
        guard hosts.count == 1, let host = hosts.first else {
            return .refused("400 Bad Request", "one Host header is needed")
        }
        // Refuse other host names: a web page in a browser on this machine could reach the port through its own name
        // (DNS rebinding) and must not read the answer.
        guard isLoopback(host.filter { $0 != " " && $0 != "\t" }) else {
            return .refused("421 Misdirected Request", "ask for http://127.0.0.1 or http://localhost")
        }
        guard words[0] == "GET" else { return .refused("405 Method Not Allowed", "only GET") }
        return .path(String(words[1].prefix { $0 != "?" }))
    }

    /// - Parameter host: a name or address, with or without a port.
    private static func isLoopback(_ host: String) -> Bool {
        for name in ["127.0.0.1", "localhost", "[::1]"] where host.lowercased().hasPrefix(name) {
            let rest = host.dropFirst(name.count)
            if rest.isEmpty { return true }
            return rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber) && rest.count > 1
        }
        return false
    }
}
