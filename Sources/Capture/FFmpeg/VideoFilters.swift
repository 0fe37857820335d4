/// The ffmpeg filters that turn a video into pictures of one size and layout at a constant rate.
struct VideoFilters {
    /// Longer gaps between the time stamps of two frames are shortened to this. Frames are repeated to get a constant
    /// rate, and a time stamp that is years ahead would repeat them without end.
    static let longestGapSeconds = 10

    /// RGB would take half as many bytes again, and the networks' inputs can be cut from this layout directly.
    static let layout = Image.Layout.yuyv(isFullRange: false)

    let widthPixels: Int
    let heightPixels: Int
    let rateHz: Double
    /// The filter graph in ffmpeg's syntax.
    let description: String

    init(of video: VideoProbe, _ settings: VideoRecording.Settings) {
        rateHz = min(settings.rateHz, video.rateHz ?? settings.rateHz)
        let shrink = min(
            1, Double(settings.maximumSidePixels) / Double(max(video.widthPixels, video.heightPixels)))
        let side = { (pixels: Int) in max(1, Int((Double(pixels) * shrink).rounded())) }
        let (width, height) = (side(video.widthPixels), side(video.heightPixels))
        let turned = settings.orientation.isSideways ? (height, width) : (width, height)
        // Even sizes: two pixels of a row share their colour, and in most videos two rows do.
        (widthPixels, heightPixels) = ((turned.0 + 1) & ~1, (turned.1 + 1) & ~1)
        let gap = "PREV_OUTPTS+clip(PTS-PREV_INPTS,0,\(Self.longestGapSeconds)/TB)"
        description =
            ([
                "setpts='if(isnan(PREV_OUTPTS),PTS,\(gap))'", "fps=\(rateHz)",
                // A stream may change its size midway. Later pictures are fitted into the first size.
                "scale=w=\(width):h=\(height):force_original_aspect_ratio=decrease:flags=area",
            ] + settings.orientation.filters + [
                "format=yuv420p|yuv422p", "pad=\(widthPixels):\(heightPixels):-1:-1",
                // Fast, since only the layout changes. Also converts other colour matrices and ranges (phones).
                "scale=flags=fast_bilinear:out_color_matrix=bt601:out_range=tv", "format=yuyv422",
            ]).joined(separator: ",")
    }
}
