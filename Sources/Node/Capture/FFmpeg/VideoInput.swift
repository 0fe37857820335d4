/// The arguments that tell ffmpeg and ffprobe what to open, and which formats and protocols they may use.
struct VideoInput: Equatable {
    /// All arguments before the output's options, including the input.
    let arguments: [String]
    /// The text for their standard input: an address that might contain a secret. Every user of the machine can read
    /// the arguments, but not the standard input.
    let text: String?

    var standardInput: ChildProcess.Input { text.map { .text($0) } ?? .nothing }

    /// The ways to open a source, in the order to try them.
    static func ways(to source: String) -> [VideoInput] {
        guard let path = path(of: source) else { return addressWays(to: source) }
        // "file:" prevents that a path is read as an option or a protocol.
        return [VideoInput(arguments: limits("file,crypto,data", source) + ["-i", "file:" + path], text: nil)]
    }

    /// The path of a file, or `nil` for an address.
    static func path(of source: String) -> String? {
        if source.hasPrefix("file://") { return String(source.dropFirst("file://".count)) }
        return source.contains("://") ? nil : source
    }

    /// Whether to try the next way after this one failed: always after the list of one address, otherwise only when the
    /// server refuses RTSP over TCP (status 461 or 400).
    func isWorthAnother(_ reason: String) -> Bool {
        isList || ["461 ", "400 "].contains { reason.contains($0) }
    }

    /// The same input, of which ffmpeg reads only half a second ahead. It looks for a rate for five seconds, and the first
    /// pictures of a stream would then arrive at once.
    var readAtOnce: VideoInput {
        let microseconds = "500000"
        // A list and the address in it are each read ahead.
        return VideoInput(
            arguments: ["-analyzeduration", microseconds] + arguments,
            text: text.map { $0 + "option analyzeduration \(microseconds)\n" })
    }

    /// Whether this is the list of one address, which keeps the length of a recording.
    var isList: Bool { arguments.last == Self.list }

    private static func addressWays(to source: String) -> [VideoInput] {
        // Timeouts are in microseconds: a server that is silent for five seconds counts as gone.
        if source.hasPrefix("rtsp") {
            return ["tcp", "udp"].map { network(source, ["rtsp_transport": $0, "timeout": "5000000"]) }
        }
        let timeout = source.hasPrefix("http") ? ["rw_timeout": "5000000"] : [:]
        let way = network(source, timeout)
        // As a list of one address, a recording keeps its length. A live stream has no length and cannot be read this
        // way, so the plain address comes second.
        guard way.text != nil, source.hasPrefix("http"), playlists(in: source).isEmpty else { return [way] }
        return [VideoInput(arguments: limits(protocols, source) + ["-i", Self.list], text: source), way]
    }

    /// ffmpeg's input for a list of addresses on standard input, which are read as one file.
    private static let list = "concatf:pipe:0"

    /// Opens an address with options. An address that might contain a secret is passed on standard input, as a list of
    /// one.
    private static func network(_ source: String, _ options: [String: String]) -> VideoInput {
        let limits = limits(protocols, source)
        guard source.contains("@") || source.contains("?") else {
            let words = options.sorted { $0.key < $1.key }.flatMap { ["-" + $0.key, $0.value] }
            return VideoInput(arguments: limits + words + ["-i", source], text: nil)
        }
        let lines =
            ["ffconcat version 1.0", "file '\(source.replacing("'", with: "'\\''"))'"]
            + options.sorted { $0.key < $1.key }.map { "option \($0.key) \($0.value)" }
        return VideoInput(
            arguments: limits + ["-safe", "0", "-f", "concat", "-i", "pipe:0"],
            text: lines.joined(separator: "\n") + "\n")
    }

    /// Decoder threads per source: enough for 4K at 30 Hz, and affordable on a small board.
    private static let threads = 2
    /// Twice the pixels of 8K. Decoding larger pictures would take gigabytes.
    private static let maximumPixels = 8192 * 8192

    /// Limits threads, picture size, protocols and formats. A playlist can open other addresses, so playlist formats
    /// are allowed only when the name says that it is one.
    private static func limits(_ protocols: String, _ source: String) -> [String] {
        let list = path(of: source) == nil ? ["concat"] : []
        let formats = [Self.formats] + list + playlists(in: source)
        return [
            "-threads", "\(threads)", "-max_pixels", "\(maximumPixels)", "-protocol_whitelist", protocols,
            "-format_whitelist", formats.joined(separator: ","),
        ]
    }

    private static func playlists(in source: String) -> [String] {
        let name = source.lowercased()
        return (name.contains(".m3u8") ? ["hls", "applehttp"] : []) + (name.contains(".mpd") ? ["dash"] : [])
    }

    /// Network protocols only, no files: a server must not be able to show files of this machine as pictures.
    private static let protocols =
        "concatf,crypto,data,ftp,http,httpproxy,https,mmsh,mmst,pipe,rtmp,rtmpe,rtmps,rtmpt,rtmpte,rtmpts,rtp,rtsp,"
        + "sctp,srt,srtp,tcp,tls,udp"

    /// Formats that contain their pictures themselves, and those of live streams.
    private static let formats =
        "apng,asf,av1,avi,bmp_pipe,dv,flv,gif,h264,hevc,image2,ivf,jpeg_pipe,live_flv,m4v,matroska,mjpeg,mov,mp4,mpeg,"
        + "mpegts,mpegvideo,mpjpeg,mxf,nut,obu,ogg,png_pipe,rtp,rtsp,sdp,tiff_pipe,webm,webp_pipe,wtv,yuv4mpegpipe"
}
