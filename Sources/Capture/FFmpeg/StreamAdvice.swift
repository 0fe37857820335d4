/// What to try when a stream cannot be opened. ffmpeg's messages name the symptom only.
enum StreamAdvice {
    /// What to do next, after the reason.
    ///
    /// - Parameters:
    ///   - reason: ffmpeg's message.
    ///   - source: the address without its secrets, or a path.
    static func text(_ reason: String, of source: String) -> String {
        let play = "check that it plays with: ffplay '\(source)'"
        guard let end = source.firstRange(of: "://") else { return play }
        let scheme = String(source[..<end.lowerBound].lowercased()), said = reason.lowercased()
        func says(_ words: String...) -> Bool { words.contains { said.contains($0) } }
        if says("401", "403", "unauthorized", "forbidden", "authorization") {
            return "check user and password, as in \(scheme)://user:password@host/path"
        }
        if says("404", "not found") { return "check the path behind the host; the camera's manual names it" }
        if says("461", "unsupported transport") {
            return "the camera takes neither TCP nor UDP; look for RTP over RTSP in its settings"
        }
        if says("connection refused") {
            return "nothing listens at this port: check the port, and switch the stream on in the camera's settings"
        }
        if says("no route", "unreachable", "not answer", "timed out", "no picture for") {
            return "check the address and the network, and that the camera has power"
        }
        let isCut = says("invalid data", "end of file", "reset by peer")
        if let plain = plainSchemes[scheme], isCut || says("input/output", "tls", "ssl", "broken pipe") {
            return "the port may not speak TLS: try \(plain)://, or check host and port"
        }
        if let secure = plainSchemes.first(where: { $0.value == scheme })?.key, isCut {
            return "the port may speak TLS: try \(secure)://, or check that it is the port of the stream"
        }
        return says("input/output", "resolve", "name or service") ? "check the host's name and the network" : play
    }

    /// The scheme without TLS of each scheme with TLS.
    private static let plainSchemes = ["rtsps": "rtsp", "https": "http", "rtmps": "rtmp"]
}
