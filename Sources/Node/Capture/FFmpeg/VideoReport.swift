/// ffprobe's answer about the video streams of an input.
struct VideoReport: Decodable {
    /// What to ask for, as an argument of `-show_entries`.
    static let entries =
        "stream=codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,time_base,duration"
        + ":stream_disposition=default,attached_pic,timed_thumbnails,still_image"
        + ":stream_side_data=rotation:format=format_name,duration"

    /// All video streams, cover pictures included.
    let streams: [Stream]
    let format: Format?

    struct Format: Decodable {
        /// ffmpeg's names of the format, separated by commas.
        let name: String?
        let duration: String?

        enum CodingKeys: String, CodingKey {
            case duration
            case name = "format_name"
        }
    }

    struct Stream: Decodable {
        let codec: String?
        let width: Int?
        let height: Int?
        let sampleAspectRatio: String?
        let averageRate: String?
        let nominalRate: String?
        let timeBase: String?
        let duration: String?
        let disposition: [String: Int]?
        let sideData: [SideData]?

        enum CodingKeys: String, CodingKey {
            case width, height, duration, disposition
            case codec = "codec_name"
            case sampleAspectRatio = "sample_aspect_ratio"
            case averageRate = "avg_frame_rate"
            case nominalRate = "r_frame_rate"
            case timeBase = "time_base"
            case sideData = "side_data_list"
        }

        /// The width of a pixel divided by its height; 1 where nothing is said, `nil` where it cannot be true.
        var pixelShape: Double? {
            guard let shape = VideoReport.ratio(sampleAspectRatio) else { return 1 }
            return (0.1...10).contains(shape) ? shape : nil
        }

        /// Whether it is shown turned by a quarter.
        var isQuarterTurned: Bool {
            abs(Int((sideData?.compactMap(\.rotation).first ?? 0).rounded())) % 180 == 90
        }

        fileprivate func has(_ name: String) -> Bool { (disposition?[name] ?? 0) != 0 }

        fileprivate var pixels: Int { (width ?? 0) * (height ?? 0) }
    }

    struct SideData: Decodable { let rotation: Double? }

    /// The stream that is the film, and its number among the video streams: the default one, else the largest. Cover
    /// pictures and thumbnails are none.
    var film: (stream: Stream, number: Int)? {
        let films = streams.enumerated().filter { _, stream in
            let isPicture = ["attached_pic", "timed_thumbnails", "still_image"].contains { stream.has($0) }
            return stream.pixels > 0 && !isPicture
        }
        let usual = films.filter { $0.element.has("default") }
        return (usual.isEmpty ? films : usual).max { $0.element.pixels < $1.element.pixels }
            .map { ($0.element, $0.offset) }
    }

    /// Whether an input is a single picture by its name, such as `snapshot.jpg`.
    var isNamedPicture: Bool { names.contains("image2") }

    /// Whether a stream is stored without time stamps. Within a list of addresses ffprobe does not tell the format, but
    /// these formats have a clock of their own.
    func isRaw(_ stream: Stream) -> Bool {
        if names.contains("concat") {
            return stream.timeBase == "1/1200000" || (stream.timeBase == "1/25" && stream.codec == "mjpeg")
        }
        // Such as `jpeg_pipe`: pictures one behind the other.
        return names.contains { Self.rawFormats.contains($0) || $0.hasSuffix("_pipe") }
    }

    private static let rawFormats: Set<Substring> = ["mpjpeg", "mjpeg", "h264", "hevc", "m4v", "mpegvideo", "obu"]

    private var names: [Substring] { format?.name?.split(separator: ",") ?? [] }

    /// The value of `30000/1001` or `4:3`; `nil` if it is none, or not above 0.
    static func ratio(_ text: String?) -> Double? {
        guard let parts = text?.split(whereSeparator: { "/:".contains($0) }).compactMap({ Double($0) }),
            parts.count == 2, parts[1] > 0, parts[0] > 0
        else { return nil }
        return parts[0] / parts[1]
    }
}
