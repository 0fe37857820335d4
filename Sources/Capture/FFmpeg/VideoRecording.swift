import Foundation
import Synchronization

/// A video file or network stream, decoded by ffmpeg in a child process.
///
/// Pictures arrive upright, at most ``Settings/maximumSidePixels`` on the longer side, at the recording's own rate or
/// the wanted one, whichever is lower. Times are the media's own, counted from its first frame; where two frames lie
/// more than ``VideoFilters/longestGapSeconds`` apart the rest is left out.
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
    private let size: (widthPixels: Int, heightPixels: Int)
    private let state = Mutex(State())
    private let patienceSeconds: Int
    /// A stream that delivers no picture for so long is gone, whatever its connection says; a file is on a slow disk.
    private static let patienceSeconds = (stream: 15, file: 60)

    private struct State {
        var frames = 0
        var stopped = false
    }

    /// Opens `source`, a path or a URL such as `rtsp://…`.
    ///
    /// - Parameter cancellation: ends the opening, which takes up to 15 s where a server does not answer.
    /// - Throws: ``CaptureError``: the file is missing or unreadable, holds no video, or ffmpeg is not installed;
    ///   `CancellationError`.
    public init(
        _ source: String, settings: Settings = Settings(), cancellation: Cancellation = Cancellation()
    ) throws {
        let path = VideoInput.path(of: source)
        if let path {
            guard FileManager.default.fileExists(atPath: path) else { throw CaptureError.fileNotFound(path: path) }
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw CaptureError.permissionDenied(path: path, group: nil)
            }
        }
        patienceSeconds = path == nil ? Self.patienceSeconds.stream : Self.patienceSeconds.file
        let name = Redaction.covered(in: source)
        let (probe, input) = try Self.probe(source, name, withinSeconds: patienceSeconds, cancellation)
        let filters = VideoFilters(of: probe, settings)
        size = (filters.widthPixels, filters.heightPixels)
        decoder = try ChildProcess(
            "ffmpeg",
            ["-v", "error", "-nostdin"] + input.arguments + [
                "-map", "0:v:0", "-vf", filters.description, "-filter_threads", "1", "-fps_mode", "passthrough",
                "-f", "rawvideo", "-",
            ], input: input.standardInput, limit: .silence(seconds: patienceSeconds))
        try cancellation.check()
        let isSideways = settings.orientation.isSideways
        format = SourceFormat(
            name: name, widthPixels: isSideways ? probe.heightPixels : probe.widthPixels,
            heightPixels: isSideways ? probe.widthPixels : probe.heightPixels, rateHz: filters.rateHz,
            durationSeconds: probe.durationSeconds)
    }

    /// Looks into the source, over TCP where it is an RTSP camera, and over UDP where it knows no other.
    ///
    /// - Returns: what it holds, and the way by which it is to be opened.
    private static func probe(
        _ source: String, _ name: String, withinSeconds seconds: Int, _ cancellation: Cancellation
    ) throws -> (probe: VideoProbe, input: VideoInput) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var ways = VideoInput.ways(to: source)[...]
        while true {
            let way = ways.removeFirst()
            do {
                return (try VideoProbe(of: way, name: name, deadline: deadline, cancellation), way)
            } catch CaptureError.decodingFailed(_, let reason) where !ways.isEmpty && way.isWorthAnother(reason) {
                continue
            }
        }
    }

    public func next() throws -> Frame? {
        let (index, stopped) = state.withLock { ($0.frames, $0.stopped) }
        if stopped { return nil }
        guard let bytes = picture() else {
            if state.withLock({ $0.stopped }) { return nil }
            if let reason = failure(after: index) {
                throw CaptureError.decodingFailed(source: format.name, reason: reason)
            }
            return nil
        }
        state.withLock { $0.frames += 1 }
        return Frame(
            index: index, time: Double(index) / format.rateHz,
            image: Image(
                widthPixels: size.widthPixels, heightPixels: size.heightPixels, layout: VideoFilters.layout,
                bytes: bytes))
    }

    /// The bytes of the next picture; `nil` at the end, even inside a picture.
    private func picture() -> [UInt8]? {
        let size = size.widthPixels * size.heightPixels * VideoFilters.layout.depth
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            while count < size {
                let read = decoder.read(into: base + count, count: size - count)
                if read == 0 { return }
                count += read
            }
        }
        return bytes.count == size ? bytes : nil
    }

    /// Why the pictures ended, where that is not the recording's end.
    private func failure(after frames: Int) -> String? {
        let (status, complaint) = decoder.wait()
        if decoder.wasLate { return "no picture for \(patienceSeconds) s" }
        let reason = complaint.isEmpty ? nil : VideoProbe.reason(complaint, format.name)
        if status > 128 { return "ffmpeg was ended by signal \(status - 128) after \(frames) frames" }
        if status != 0 || frames == 0 { return reason ?? "ffmpeg ended after \(frames) frames" }
        // ffmpeg takes a file that breaks off, or cannot be decoded any further, for one that ends.
        let seconds = Double(frames) / format.rateHz
        guard let reason, let duration = format.durationSeconds, seconds < 0.9 * duration else { return nil }
        return "it breaks off after \(Int(seconds)) of \(Int(duration)) s: \(reason)"
    }

    public func stop() {
        state.withLock { $0.stopped = true }
        decoder.kill()
    }

    public var decodingSeconds: Double { decoder.processorSeconds }
}
