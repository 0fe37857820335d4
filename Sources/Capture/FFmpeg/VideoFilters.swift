/// What ffmpeg makes of a video's frames: pictures of one size and layout, at an even rate.
struct VideoFilters {
    /// Where two frames lie further apart, by what a file or camera says, the time between is cut down to this. The rate
    /// is made even by repeating frames, and repeating them for years would never end.
    static let longestGapSeconds = 10

    /// Half as many bytes again would be RGB, and the networks' inputs are cut from this all the same.
    static let layout = Image.Layout.yuyv(isFullRange: false)

    let widthPixels: Int
    let heightPixels: Int
    let rateHz: Double
    /// As ffmpeg reads it.
    let description: String

    init(of video: VideoProbe, _ settings: VideoRecording.Settings) {
        rateHz = min(settings.rateHz, video.rateHz ?? settings.rateHz)
        let shrink = min(
            1, Double(settings.maximumSidePixels) / Double(max(video.widthPixels, video.heightPixels)))
        let side = { (pixels: Int) in max(1, Int((Double(pixels) * shrink).rounded())) }
        let (width, height) = (side(video.widthPixels), side(video.heightPixels))
        let turned = settings.orientation.isSideways ? (height, width) : (width, height)
        // Two pixels of a row share their colour, and in most videos two rows do.
        (widthPixels, heightPixels) = ((turned.0 + 1) & ~1, (turned.1 + 1) & ~1)
        let gap = "PREV_OUTPTS+clip(PTS-PREV_INPTS,0,\(Self.longestGapSeconds)/TB)"
        description =
            ([
                "setpts='if(isnan(PREV_OUTPTS),PTS,\(gap))'", "fps=\(rateHz)",
                // A stream may change its size midway; whatever comes is fitted into the first one.
                "scale=w=\(width):h=\(height):force_original_aspect_ratio=decrease:flags=area",
            ] + settings.orientation.filters + [
                "format=yuv420p|yuv422p", "pad=\(widthPixels):\(heightPixels):-1:-1",
                // Fast where only the layout changes; phones' matrix and range become those of the layout.
                "scale=flags=fast_bilinear:out_color_matrix=bt601:out_range=tv", "format=yuyv422",
            ]).joined(separator: ",")
    }
}
