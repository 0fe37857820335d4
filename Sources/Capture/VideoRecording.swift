import Foundation
import Synchronization

/// A video file or network stream, decoded by ffmpeg in a child process.
///
/// Pictures arrive upright, at most ``Settings/maximumSidePixels`` on the longer side, at the recording's own rate or
/// the wanted one, whichever is lower. Times are the media's own, counted from its first frame.
public final class VideoRecording: FrameSource {
    public struct Settings: Sendable {
        /// Frames per second to resample to; a slower recording keeps its own rate.
        public var rateHz: Double
        /// Larger pictures are scaled down while they are decoded.
        public var maximumSidePixels: Int
        public var orientation = Orientation.upright

        public init(rateHz: Double = 30, maximumSidePixels: Int = 1280) {
            self.rateHz = rateHz
            self.maximumSidePixels = maximumSidePixels
        }
    }

    public let format: SourceFormat
    public let droppedFrames = 0
    private let decoder: ChildProcess
    private let state = Mutex(State())
    /// A stream that delivers no picture for so long is gone, whatever its connection says.
    private static let patienceSeconds = 15

    private struct State {
        var frames = 0
        var stopped = false
    }

    /// Opens `source`, a path or a URL such as `rtsp://…`.
    ///
    /// - Throws: ``CaptureError``: the file is missing or unreadable, holds no video, or ffmpeg is not installed.
    public init(_ source: String, settings: Settings = Settings()) throws {
        let isURL = source.contains("://")
        if !isURL {
            guard FileManager.default.fileExists(atPath: source) else { throw CaptureError.fileNotFound(path: source) }
            guard FileManager.default.isReadableFile(atPath: source) else {
                throw CaptureError.permissionDenied(path: source, group: nil)
            }
        }
        // A path may look like an option or a protocol; "file:" makes it neither.
        let address = isURL ? source : "file:" + source
        let (probe, options) = try Self.probe(address)
        let rate = min(settings.rateHz, probe.rateHz ?? settings.rateHz)
        let side = settings.maximumSidePixels
        let filters =
            [
                "fps=\(rate)",
                "scale=w='min(iw,\(side))':h='min(ih,\(side))':force_original_aspect_ratio=decrease:flags=area",
            ] + settings.orientation.filters
        decoder = try ChildProcess(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + options + [
                "-i", address, "-map", "0:v:0", "-vf", filters.joined(separator: ","), "-f", "image2pipe",
                "-c:v", "ppm", "-",
            ], patienceSeconds: isURL ? Self.patienceSeconds : nil)
        let isSideways = settings.orientation.isSideways
        format = SourceFormat(
            name: source, widthPixels: isSideways ? probe.heightPixels : probe.widthPixels,
            heightPixels: isSideways ? probe.widthPixels : probe.heightPixels, rateHz: rate,
            durationSeconds: probe.durationSeconds)
    }

    /// Looks into the source, over TCP where it is an RTSP camera, and over UDP where it knows no other.
    ///
    /// - Returns: what it holds, and the options by which it is to be opened.
    private static func probe(_ address: String) throws -> (probe: VideoProbe, options: [String]) {
        // A server that says nothing for five seconds is gone.
        let rtsp = { ["-rtsp_transport", $0, "-timeout", "5000000"] }
        let isRTSP = address.hasPrefix("rtsp")
        let options = isRTSP ? rtsp("tcp") : address.hasPrefix("http") ? ["-rw_timeout", "5000000"] : []
        do {
            return (try VideoProbe(of: address, options: options), options)
        } catch CaptureError.decodingFailed(_, let reason)
            where isRTSP && (reason.contains("461 ") || reason.contains("400 "))
        {
            return (try VideoProbe(of: address, options: rtsp("udp")), rtsp("udp"))
        }
    }

    public func next() throws -> Frame? {
        let (index, stopped) = state.withLock { ($0.frames, $0.stopped) }
        if stopped { return nil }
        guard let image = try PortablePixmap.read(from: decoder) else {
            if state.withLock({ $0.stopped }) { return nil }
            let (status, complaint) = decoder.wait()
            if decoder.wasSilent {
                throw CaptureError.decodingFailed(
                    source: format.name, reason: "no picture for \(Self.patienceSeconds) s")
            }
            if status == 0 && index > 0 { return nil }
            throw CaptureError.decodingFailed(
                source: format.name,
                reason: complaint.isEmpty
                    ? "the decoder ended after \(index) frames"
                    : VideoProbe.reason(complaint, "file:" + format.name))
        }
        state.withLock { $0.frames += 1 }
        return Frame(index: index, time: Double(index) / format.rateHz, image: image)
    }

    public func stop() {
        state.withLock { $0.stopped = true }
        decoder.kill()
    }
}
