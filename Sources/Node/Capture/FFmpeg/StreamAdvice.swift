/// What to try when a stream cannot be opened. ffmpeg's messages name the symptom only.
package enum StreamAdvice {
    /// What to do next, after the reason.
    ///
    /// - Parameters:
    ///   - reason: ffmpeg's message.
    ///   - source: the address without its secrets, or a path.
    static func text(_ reason: String, of source: String) -> String {
        if let advice = ownAdvice(reason, isAddress: source.contains("://")) { return advice }
        if reason.hasSuffix(rawPassword) { return "write @ : / ? # in user and password as %40 %3A %2F %3F %23" }
        if reason.contains("moov atom not found") {
            return "the recording was never finished, as when its recorder loses power or still writes; copy it again"
        }
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

    /// What to do about a reason of our own.
    private static func ownAdvice(_ reason: String, isAddress: Bool) -> String? {
        switch reason {
        case onePicture: "take the address of the camera's stream; the camera's manual names it"
        case noStream where isAddress: "take the address of the camera's stream; the camera's manual names it"
        case answersOtherwise: "open it in a browser, and look for the stream's address; the camera's manual names it"
        case noStream, noVideo, empty: "check that it is the right file, and copy it again"
        case pipe: "save it to a file first"
        default: nil
        }
    }

    /// The reason of an address that ends after its first picture.
    static let onePicture = "this address gives one picture"
    /// The reason of sound, and of all that holds other streams than video.
    static let noStream = "it holds no video stream"
    /// The reason of a file that ffmpeg does not know.
    static let noVideo = "it is no video, or its beginning is damaged"
    /// The reason of an address at which a page or a text is.
    static let answersOtherwise = "it answers, but with something that is no video"
    /// The reason of a file without a byte.
    static let empty = "the file is empty"
    /// The reason of what can be read only once.
    static let pipe = "it is a pipe or the standard input, which cannot be read twice"
    /// The reason of a format that is not opened, or not under this name.
    static let playlist =
        "it is a playlist, or its format is not supported (the name of a playlist must contain .m3u8 or .mpd)"

    /// Whether the host answered, and what it sent is no video for us.
    package static func isAnswer(_ reason: String) -> Bool {
        [noStream, answersOtherwise, playlist].contains { reason.hasPrefix($0) }
    }

    /// Follows the reason of an address with a password that cannot be read as it is written.
    package static let rawPassword = " (a sign in its user or password has another meaning in an address)"

    /// Whether an address may have failed because of its password: not where nobody was reached.
    static func mayBlamePassword(_ reason: String) -> Bool {
        !["refused", "unreachable", "no route", "in time", "timed out"].contains { reason.lowercased().contains($0) }
    }

    /// Whether a sign such as `@` or `/` in the user or password of an address stands there as it is.
    package static func hasRawPassword(_ source: String) -> Bool {
        guard let scheme = source.firstRange(of: "://") else { return false }
        let rest = source[scheme.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard authority.count(where: { $0 == "@" }) < 2 else { return true }
        let at = authority.firstIndex(of: "@")
        let host = at.map { authority[authority.index(after: $0)...] } ?? authority
        // What looks like host and port is a part of the password, if more follows and the port is none.
        let port = host.drop { host.contains("]") && $0 != "]" }.split(separator: ":", omittingEmptySubsequences: false)
        let later = rest[authority.endIndex...].prefix { $0 != "=" }
        if port.count > 1 && !(port[1...].joined(separator: ":").allSatisfy(\.isNumber)) { return rest.contains("@") }
        guard let at else { return false }
        return later.contains("@") || authority[..<at].count(where: { $0 == ":" }) > 1
    }

    /// The address that was meant by a name that is no file, such as `192.168.1.20:554/stream`; `nil` if it is none.
    static func address(meantBy name: String) -> String? {
        guard !name.hasPrefix("/"), !name.hasPrefix(".") else { return nil }
        let isHost = name.contains(#/^([^\/]*@)?(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|[\w.-]+:\d{1,5})(\/|$)/#)
        return isHost ? "rtsp://" + name : nil
    }

    /// The scheme without TLS of each scheme with TLS.
    private static let plainSchemes = ["rtsps": "rtsp", "https": "http", "rtmps": "rtmp"]
}
