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
        if child.hasSaid("not on whitelist") { throw failure(Self.refusedFormat(child)) }
        guard let report = try? JSONDecoder().decode(VideoReport.self, from: Data(answer)), status == 0 else {
            throw failure(Self.refusal(child, complaint, name))
        }
        // By its name, and without reading it.
        if name.contains("://") && report.isNamedPicture { throw failure(StreamAdvice.onePicture) }
        guard let film = report.film, let width = film.stream.width, let height = film.stream.height else {
            throw failure(StreamAdvice.noStream)
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

    /// Why a format is refused that ffmpeg knows.
    private static func refusedFormat(_ child: ChildProcess) -> String {
        formatsWithoutVideo.contains { child.hasSaid("[\($0) @ ") } ? StreamAdvice.noStream : StreamAdvice.playlist
    }

    /// ffmpeg's names of formats of sound, of subtitles, and of text.
    private static let formatsWithoutVideo = [
        "aac", "ac3", "aiff", "amr", "ape", "ass", "au", "caf", "dts", "eac3", "flac", "loas", "lrc", "mp3", "mpc",
        "mpc8", "srt", "tak", "tta", "tty", "voc", "w64", "wav", "webvtt", "wv", "xwma",
    ]

    /// Why an input is not read: ffprobe's words, or that it is no video at all.
    private static func refusal(_ child: ChildProcess, _ complaint: String, _ name: String) -> String {
        let said = reason(complaint, name)
        guard let path = VideoInput.path(of: name) else {
            // Of a server that tells no length, ffmpeg 5.1 says this at the end of a page.
            let isPage = child.hasSaid("Stream ends prematurely") && child.hasSaid("should be 18446744073709551615")
            let isOther = isPage || complaint.isEmpty || said.contains("Invalid data found")
            return isOther && name.lowercased().hasPrefix("http") ? StreamAdvice.answersOtherwise : said
        }
        if complaint.isEmpty || said.hasPrefix("Invalid data found") { return StreamAdvice.noVideo }
        if said.contains("EBML header parsing failed") { return StreamAdvice.noVideo }
        return said.contains("moov atom not found") && !isMP4(path) ? StreamAdvice.noVideo : said
    }

    /// Whether a file begins as MP4 and QuickTime do; `true` where it cannot be read.
    private static func isMP4(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 8) else {
            return true
        }
        let kinds = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "uuid"]
        return head.count == 8 && kinds.contains(String(decoding: head.suffix(4), as: UTF8.self))
    }

    /// ffmpeg's message without secrets, and without the path or the part of ffmpeg that it names at the start.
    static func reason(_ complaint: String, _ name: String) -> String {
        let text = Redaction.covered(in: complaint)
        let prefix = ["file:\(name): ", "\(name): ", "pipe:0: ", "concatf:pipe:0: "].first { text.hasPrefix($0) }
        return String(text.dropFirst(prefix?.count ?? 0)).replacing(#/^\[[^\]]* @ 0x\w+\] /#, with: "")
    }
}
