import Foundation

/// The properties of a video, read with ffprobe before it is decoded.
struct VideoProbe {
    let widthPixels: Int
    let heightPixels: Int
    let rateHz: Double?
    let durationSeconds: Double?

    /// A video that claims fewer frames per second is refused: its time stamps cannot be trusted.
    private static let slowestRateHz = 1.0

    /// Asks ffprobe about the first video stream of `input`.
    ///
    /// - Parameter name: the name of the source in messages.
    /// - Throws: ``CaptureError/decodingFailed(source:reason:)`` when the input holds no readable video or does not
    ///   answer in time; `CancellationError` when cancelled.
    init(of input: VideoInput, name: String, deadline: ContinuousClock.Instant, _ cancellation: Cancellation) throws {
        let child = try ChildProcess(
            "ffprobe",
            ["-v", "error"] + input.arguments + [
                "-select_streams", "v:0", "-show_entries",
                "stream=width,height,avg_frame_rate,r_frame_rate,duration:stream_side_data=rotation:format=duration",
                "-of", "json",
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
        guard let report = try? JSONDecoder().decode(Report.self, from: Data(answer)), status == 0 else {
            throw failure(complaint.isEmpty ? "not a video" : Self.reason(complaint, name))
        }
        guard let stream = report.streams.first, let width = stream.width, let height = stream.height,
            width > 0, height > 0
        else { throw failure("it holds no video stream") }
        // ffmpeg rotates pictures upright by itself, but ffprobe reports the stored size.
        let quarterTurned = abs(Int((stream.sideData?.compactMap(\.rotation).first ?? 0).rounded())) % 180 == 90
        widthPixels = quarterTurned ? height : width
        heightPixels = quarterTurned ? width : height
        let rates = [stream.averageRate, stream.nominalRate].compactMap(Self.ratio)
        rateHz = rates.first { $0 >= Self.slowestRateHz }
        if rateHz == nil, let rate = rates.first {
            throw failure("it claims \(rate.formatted(.number.precision(.significantDigits(2)))) frames a second")
        }
        durationSeconds = (stream.duration ?? report.format?.duration).flatMap(Double.init)
    }

    /// ffmpeg's message without secrets, and without the path that it repeats at the start.
    static func reason(_ complaint: String, _ name: String) -> String {
        let text = Redaction.covered(in: complaint)
        let prefix = ["file:\(name): ", "\(name): ", "pipe:0: ", "concatf:pipe:0: "].first { text.hasPrefix($0) }
        return String(text.dropFirst(prefix?.count ?? 0))
    }

    private static func ratio(_ text: String?) -> Double? {
        guard let parts = text?.split(separator: "/").compactMap({ Double($0) }), parts.count == 2, parts[1] > 0,
            parts[0] > 0
        else { return nil }
        return parts[0] / parts[1]
    }

    private struct Report: Decodable {
        let streams: [Stream]
        let format: Format?
    }
    private struct Format: Decodable { let duration: String? }
    private struct Stream: Decodable {
        let width: Int?
        let height: Int?
        let averageRate: String?
        let nominalRate: String?
        let duration: String?
        let sideData: [SideData]?
        enum CodingKeys: String, CodingKey {
            case width, height, duration
            case averageRate = "avg_frame_rate"
            case nominalRate = "r_frame_rate"
            case sideData = "side_data_list"
        }
    }
    private struct SideData: Decodable { let rotation: Double? }
}
