/// How ffmpeg and ffprobe are told what to open, and what they may open beside it.
struct VideoInput: Equatable {
    /// Everything that stands before the output's options, the input included.
    let arguments: [String]
    /// What they read on their standard input: an address that might hold a secret, since every user of this machine
    /// may read the arguments.
    let text: String?

    var standardInput: ChildProcess.Input { text.map { .text($0) } ?? .nothing }

    /// The ways to open a source, the best one first.
    static func ways(to source: String) -> [VideoInput] {
        guard let path = path(of: source) else { return addressWays(to: source) }
        // A path may look like an option or a protocol; "file:" makes it neither.
        return [VideoInput(arguments: limits("file,crypto,data", source) + ["-i", "file:" + path], text: nil)]
    }

    /// The path of a file, or `nil` for an address.
    static func path(of source: String) -> String? {
        if source.hasPrefix("file://") { return String(source.dropFirst("file://".count)) }
        return source.contains("://") ? nil : source
    }

    /// Whether the next way is worth trying after this one failed: always where it was an attempt; else where the server
    /// knows no RTSP over TCP (461, 400).
    func isWorthAnother(_ reason: String) -> Bool {
        arguments.last == Self.list || ["461 ", "400 "].contains { reason.contains($0) }
    }

    private static func addressWays(to source: String) -> [VideoInput] {
        // A server that says nothing for five seconds is gone.
        if source.hasPrefix("rtsp") {
            return ["tcp", "udp"].map { network(source, ["rtsp_transport": $0, "timeout": "5000000"]) }
        }
        let patience = source.hasPrefix("http") ? ["rw_timeout": "5000000"] : [:]
        let way = network(source, patience)
        // As the one part of a whole it keeps its length, which a recording is known by; a live stream has none, and
        // cannot be read so.
        guard way.text != nil, source.hasPrefix("http"), playlists(in: source).isEmpty else { return [way] }
        return [VideoInput(arguments: limits(protocols, source) + ["-i", Self.list], text: source), way]
    }

    /// A list of addresses on standard input, to be read as if they were one file.
    private static let list = "concatf:pipe:0"

    /// An address with its options; as a list of one where it might hold a secret.
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

    /// A fixed number, for each source: enough for 4K at 30 Hz, and no more than a small board has to spare.
    private static let threads = 2
    /// More is no video (8K is half of it), and decoding it takes gigabytes.
    private static let maximumPixels = 8192 * 8192

    /// What decoding may take, and the protocols and formats that may be opened. A playlist opens what it names, so it
    /// must be called one.
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

    /// No files: what a server sends must not make a picture of what lies here.
    private static let protocols =
        "concatf,crypto,data,ftp,http,httpproxy,https,mmsh,mmst,pipe,rtmp,rtmpe,rtmps,rtmpt,rtmpte,rtmpts,rtp,rtsp,"
        + "sctp,srt,srtp,tcp,tls,udp"

    /// Formats that hold their pictures themselves, and those of live streams.
    private static let formats =
        "apng,asf,av1,avi,bmp_pipe,dv,flv,gif,h264,hevc,image2,ivf,jpeg_pipe,live_flv,m4v,matroska,mjpeg,mov,mp4,mpeg,"
        + "mpegts,mpegvideo,mpjpeg,mxf,nut,obu,ogg,png_pipe,rtp,rtsp,sdp,tiff_pipe,webm,webp_pipe,wtv,yuv4mpegpipe"
}
