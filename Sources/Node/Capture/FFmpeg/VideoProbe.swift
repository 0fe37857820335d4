import Foundation

/// The properties of a video, read with ffprobe before it is decoded.
struct VideoProbe {
    /// Counts the input's video streams from 0: the film, which no cover picture and no thumbnail is.
    let stream: Int
    /// Width as it is shown: upright, and in square pixels.
    let widthPixels: Int
    /// Height as it is shown: upright, and in square pixels.
    let heightPixels: Int
    /// Whether the shape of its pixels can be believed; otherwise they are taken as square.
    let hasPixelShape: Bool
    /// The rate that the video claims. Its pictures may come otherwise.
    let rateHz: Double?
    let durationSeconds: Double?
    /// Whether pictures have time stamps. Raw formats have none, and ffmpeg makes some up.
    let isTimed: Bool

    /// A video that claims fewer frames per second is refused: its time stamps cannot be trusted.
    private static let slowestRateHz = 1.0
    /// A nominal rate above is that of the clock, and no rate of pictures.
    private static let fastestRateHz = 240.0

    /// Asks ffprobe about the video streams of `input`.
    ///
    /// - Parameter name: the name of the source in messages.
    /// - Throws: ``CaptureError/decodingFailed(source:reason:)`` when the input holds no readable video or does not
    ///   answer in time; `CancellationError` when cancelled.
    init(of input: VideoInput, name: String, deadline: ContinuousClock.Instant, _ cancellation: Cancellation) throws {
        let child = try ChildProcess(
            "ffprobe",
            ["-v", "error"] + input.arguments + [
                "-select_streams", "v", "-show_entries", VideoReport.entries, "-of", "json",
            ], input: input.standardInput, limit: .until(deadline))
        let (answer, status, complaint) = try cancellation.whileWaiting(for: child) {
            let answer = child.readAll(limit: 1 << 20)
            let (status, complaint) = child.wait()
            return (answer, status, complaint)
        }
        func failure(_ reason: String) -> CaptureError { .decodingFailed(source: name, reason: reason) }
        if child.wasLate { throw failure("it does not answer in time") }
        if child.hasSaid("not on whitelist") {
            throw failure(
                "it is a playlist, or its format is not supported; the name of a playlist must contain .m3u8 or .mpd")
        }
        guard let report = try? JSONDecoder().decode(VideoReport.self, from: Data(answer)), status == 0 else {
            throw failure(complaint.isEmpty ? "not a video" : Self.reason(complaint, name))
        }
        // By its name, and without reading it.
        if name.contains("://") && report.isNamedPicture { throw failure(StreamAdvice.onePicture) }
        guard let film = report.film, let width = film.stream.width, let height = film.stream.height else {
            throw failure("it holds no video stream")
        }
        stream = film.number
        let shape = film.stream.pixelShape
        hasPixelShape = shape != nil
        let shown = max(1, Int((Double(width) * (shape ?? 1)).rounded()))
        // ffmpeg rotates pictures upright by itself, but ffprobe reports the stored size.
        (widthPixels, heightPixels) = film.stream.isQuarterTurned ? (height, shown) : (shown, height)
        durationSeconds = (film.stream.duration ?? report.format?.duration).flatMap(Double.init)
        isTimed = !report.isRaw(film.stream)
        let rates = [film.stream.averageRate, film.stream.nominalRate].compactMap(VideoReport.ratio)
        rateHz = Self.rate(rates, isRecording: durationSeconds != nil)
        if rateHz == nil, let rate = rates.first {
            throw failure("it claims \(rate.formatted(.number.precision(.significantDigits(2)))) frames a second")
        }
    }

    /// The rate of the pictures. A pause lowers the mean of a recording, but not the nominal rate; that of interlaced
    /// video is twice the mean.
    private static func rate(_ rates: [Double], isRecording: Bool) -> Double? {
        if isRecording, rates.count == 2, rates[1] > 2.5 * rates[0], rates[1] <= fastestRateHz { return rates[1] }
        return rates.first { $0 >= slowestRateHz }
    }

    /// ffmpeg's message without secrets, and without the path or the part of ffmpeg that it names at the start.
    static func reason(_ complaint: String, _ name: String) -> String {
        let text = Redaction.covered(in: complaint)
        let prefix = ["file:\(name): ", "\(name): ", "pipe:0: ", "concatf:pipe:0: "].first { text.hasPrefix($0) }
        return String(text.dropFirst(prefix?.count ?? 0)).replacing(#/^\[[^\]]* @ 0x\w+\] /#, with: "")
    }
}
