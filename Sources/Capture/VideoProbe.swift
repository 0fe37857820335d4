import Foundation

/// What ffprobe says of a recording before it is decoded.
struct VideoProbe {
    let widthPixels: Int
    let heightPixels: Int
    let rateHz: Double?
    let durationSeconds: Double?

    /// Asks ffprobe about the first video stream of `source`.
    ///
    /// - Throws: ``CaptureError/decodingFailed(source:reason:)`` when it holds no readable video.
    init(of source: String, options: [String]) throws {
        let child = try ChildProcess(
            "ffprobe",
            ["-v", "error"] + options + [
                "-select_streams", "v:0", "-show_entries",
                "stream=width,height,avg_frame_rate,r_frame_rate,duration:stream_side_data=rotation:format=duration",
                "-of", "json", source,
            ])
        let answer = child.readAll(limit: 1 << 20)
        let (status, complaint) = child.wait()
        guard let report = try? JSONDecoder().decode(Report.self, from: Data(answer)), status == 0 else {
            throw CaptureError.decodingFailed(
                source: source, reason: complaint.isEmpty ? "not a video" : Self.reason(complaint, source))
        }
        guard let stream = report.streams.first, let width = stream.width, let height = stream.height,
            width > 0, height > 0
        else { throw CaptureError.decodingFailed(source: source, reason: "it holds no video stream") }
        // ffmpeg turns pictures upright by itself; the probe reports them as stored.
        let quarterTurned = abs(Int((stream.sideData?.compactMap(\.rotation).first ?? 0).rounded())) % 180 == 90
        widthPixels = quarterTurned ? height : width
        heightPixels = quarterTurned ? width : height
        rateHz = Self.ratio(stream.averageRate) ?? Self.ratio(stream.nominalRate)
        durationSeconds = (stream.duration ?? report.format?.duration).flatMap(Double.init)
    }

    /// Drops the path that ffmpeg repeats at the start of its message.
    static func reason(_ complaint: String, _ source: String) -> String {
        complaint.hasPrefix(source + ": ") ? String(complaint.dropFirst(source.count + 2)) : complaint
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
