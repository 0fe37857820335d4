/// The ffmpeg filters that turn a video into pictures of one size, shape and layout, each with its own time.
struct VideoFilters {
    /// RGB would take half as many bytes again, and the networks' inputs can be cut from this layout directly.
    static let layout = Image.Layout.yuyv(isFullRange: false)
    /// Ticks of the time stamps in a second: a whole number for every usual rate, 29.97 Hz included.
    static let ticksPerSecond = 90_000.0

    let widthPixels: Int
    let heightPixels: Int
    /// The filter graph in ffmpeg's syntax. Where it has time stamps, each picture's is written to descriptor 3.
    let description: String

    /// - Parameter hasStamps: whether the pictures have time stamps, or ffmpeg makes some up that are good enough.
    init(of video: VideoProbe, _ settings: VideoRecording.Settings, hasStamps: Bool) {
        let shrink = min(
            1, Double(settings.maximumSidePixels) / Double(max(video.widthPixels, video.heightPixels)))
        let side = { (pixels: Int) in max(1, Int((Double(pixels) * shrink).rounded())) }
        let (width, height) = (side(video.widthPixels), side(video.heightPixels))
        let turned = settings.orientation.isSideways ? (height, width) : (width, height)
        // Even sizes: two pixels of a row share their colour, and in most videos two rows do.
        (widthPixels, heightPixels) = ((turned.0 + 1) & ~1, (turned.1 + 1) & ~1)
        var filters: [String] = []
        if !video.hasPixelShape { filters.append("setsar=1") }
        if hasStamps { filters.append(Self.evenly(settings.rateHz)) }
        // The picture in its true shape; dar is its width divided by its height. A stream may change its size midway. Later
        // pictures are fitted into the first size.
        filters.append("scale=w='min(\(width),ceil(\(height)*dar))':h='min(\(height),ceil(\(width)/dar))':flags=area")
        filters.append("setsar=1")
        filters += settings.orientation.filters
        filters += ["format=yuv420p|yuv422p", "pad=\(widthPixels):\(heightPixels):-1:-1"]
        // Fast, since only the layout changes. Also converts other colour matrices and ranges (phones).
        filters += ["scale=flags=fast_bilinear:out_color_matrix=bt601:out_range=tv", "format=yuyv422"]
        if hasStamps { filters.append(Self.times) }
        description = filters.joined(separator: ",")
    }

    /// Leaves out pictures above a rate: of all in one interval, the first. A quarter of an interval keeps even rates
    /// away from its edges. No picture is repeated where fewer come.
    private static func evenly(_ rateHz: Double) -> String {
        let interval = { (time: String) in "floor(\(time)*\(rateHz)+0.25)" }
        let isNew = "not(eq(\(interval("t")),\(interval("prev_selected_t"))))"
        return "setpts=PTS-STARTPTS,select='isnan(prev_selected_t)+\(isNew)'"
    }

    /// Writes each picture's time stamp, before the picture itself is written. A line needs some metadata to be written.
    private static let times =
        "settb=1/\(Int(ticksPerSecond)),metadata=mode=add:key=t:value=0,"
        + "metadata=mode=print:file='pipe\\:3':direct=1"

    /// The time stamp of a picture in seconds, read from the notes of a decoder with these filters; `nil` at their end,
    /// and for a picture without one.
    static func stamp(from decoder: ChildProcess) -> Double? {
        // Such as `frame:3    pts:9000    pts_time:0.1`, then `t=0`.
        guard let line = decoder.note(), decoder.note() != nil else { return nil }
        let field = line.split(separator: " ").first { $0.hasPrefix("pts:") }
        return field.flatMap { Double($0.dropFirst("pts:".count)) }.map { $0 / ticksPerSecond }
    }
}
