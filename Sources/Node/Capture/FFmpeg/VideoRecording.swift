import Foundation
import Synchronization

/// A video file or network stream, decoded by ffmpeg in a child process.
///
/// Pictures arrive upright and in their true shape, with at most ``Settings/maximumSidePixels`` on the longer side. Each
/// comes once, and at most as many a second as are wanted. Times are those of the pictures, counted from the first one,
/// so a pause stays a pause; a live stream without time stamps has the times of arrival. See `FrameClock`.
public final class VideoRecording: FrameSource {
    /// The greatest rate, the size and the orientation of the decoded pictures.
    public struct Settings: Sendable {
        /// Frames per second at most. The others of a faster recording are left out.
        public var rateHz: Double
        /// Larger pictures are scaled down while they are decoded.
        public var maximumSidePixels: Int
        /// How the pictures are rotated and mirrored.
        public var orientation = Orientation.upright

        /// Creates settings for upright pictures.
        public init(rateHz: Double = 30, maximumSidePixels: Int = 1280) {
            self.rateHz = rateHz
            self.maximumSidePixels = maximumSidePixels
        }
    }

    /// What the recording delivers, after scaling and turning.
    public let format: SourceFormat
    /// 0: a recording waits for its reader.
    public let droppedFrames = 0
    private let decoder: ChildProcess
    private let size: (widthPixels: Int, heightPixels: Int)
    private let state: Mutex<State>
    private let timeoutSeconds: Int
    /// Seconds without a picture after which a source has failed. Files get longer, for slow disks.
    private static let timeoutSeconds = (stream: 15, file: 60)

    /// Seconds between two pictures above which their time stamps count as wrong. A stream does not pause.
    private static let longestGapSeconds = (stream: FrameClock.mendedGapSeconds, file: 3600.0)

    private struct State {
        /// Pictures that were decoded, with those that came too soon.
        var pictures = 0
        var frames = 0
        var stopped = false
        var clock: FrameClock
    }

    /// Opens `source`, a path or a URL such as `rtsp://…`.
    ///
    /// - Parameter cancellation: cancels the opening, which takes up to 15 s when a server does not answer.
    /// - Throws: ``CaptureError`` when the file is missing or unreadable, holds no video, or ffmpeg is not installed;
    ///   `CancellationError` when cancelled.
    public init(
        _ source: String, settings: Settings = Settings(), cancellation: Cancellation = Cancellation()
    ) throws {
        try Pipes.refuse(source)
        let path = VideoInput.path(of: source)
        let name = Redaction.covered(in: source)
        if let path {
            guard FileManager.default.fileExists(atPath: path) else { throw CaptureError.fileNotFound(path: path) }
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw CaptureError.permissionDenied(path: path, group: nil)
            }
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
                throw CaptureError.decodingFailed(source: name, reason: StreamAdvice.empty)
            }
        }
        timeoutSeconds = path == nil ? Self.timeoutSeconds.stream : Self.timeoutSeconds.file
        let (probe, found) = try Self.probe(source, name, withinSeconds: timeoutSeconds, cancellation)
        let isLive = path == nil && probe.durationSeconds == nil
        let timing: SourceFormat.Timing = probe.isTimed ? .stamps : isLive ? .arrival : .assumed
        let hasStamps = timing != .arrival
        let input = hasStamps ? found : found.readAtOnce
        // ffmpeg would take a longer pause of a recording for an error of the clock, and remove it.
        let clock = isLive ? [] : ["-dts_delta_threshold", "\(Self.longestGapSeconds.file)"]
        let filters = VideoFilters(of: probe, settings, hasStamps: hasStamps)
        size = (filters.widthPixels, filters.heightPixels)
        decoder = try ChildProcess(
            "ffmpeg",
            ["-v", "error", "-nostdin"] + clock + input.arguments + [
                "-map", "0:v:\(probe.stream)", "-vf", filters.description, "-filter_threads", "1", "-fps_mode",
                "passthrough", "-f", "rawvideo", "-",
            ], input: input.standardInput, limit: .silence(seconds: timeoutSeconds), hasNotes: hasStamps)
        try cancellation.check()
        let isSideways = settings.orientation.isSideways
        let rateHz = hasStamps ? min(settings.rateHz, probe.rateHz ?? settings.rateHz) : settings.rateHz
        format = SourceFormat(
            name: name, widthPixels: isSideways ? probe.heightPixels : probe.widthPixels,
            heightPixels: isSideways ? probe.widthPixels : probe.heightPixels, rateHz: rateHz,
            durationSeconds: probe.durationSeconds, timing: timing)
        let longest = isLive ? Self.longestGapSeconds.stream : Self.longestGapSeconds.file
        let source: FrameClock.Source = hasStamps ? .stamps(longestGapSeconds: longest) : .arrival
        state = Mutex(State(clock: FrameClock(source, rateHz: rateHz)))
    }

    /// Probes the source. RTSP is tried over TCP first, then over UDP when the server refuses TCP.
    ///
    /// - Returns: the properties of the video, and the input that worked.
    /// - Throws: ``CaptureError/decodingFailed(source:reason:)``, which says so where the address cannot be read as it is
    ///   written; `CancellationError`.
    private static func probe(
        _ source: String, _ name: String, withinSeconds seconds: Int, _ cancellation: Cancellation
    ) throws -> (probe: VideoProbe, input: VideoInput) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var ways = VideoInput.ways(to: source)[...]
        while true {
            let way = ways.removeFirst()
            do {
                let probe = try VideoProbe(of: way, name: name, deadline: deadline, cancellation)
                // A list is read in large pieces, in which the pictures of a live stream would arrive at once.
                if way.isList && probe.durationSeconds == nil && !ways.isEmpty { continue }
                return (probe, way)
            } catch CaptureError.decodingFailed(_, let reason) where !ways.isEmpty && way.isWorthAnother(reason) {
                continue
            } catch CaptureError.decodingFailed(let name, let reason)
                where StreamAdvice.hasRawPassword(source) && StreamAdvice.mayBlamePassword(reason)
            {
                throw CaptureError.decodingFailed(source: name, reason: reason + StreamAdvice.rawPassword)
            }
        }
    }

    /// Waits for the next picture. Returns `nil` at the end of the recording, or after ``stop()``.
    ///
    /// - Throws: ``CaptureError/decodingFailed(source:reason:)``
    public func next() throws -> Frame? {
        while !state.withLock({ $0.stopped }) {
            guard let bytes = picture() else {
                let (state, isStopped) = state.withLock { ($0, $0.stopped) }
                if !isStopped, let reason = failure(after: state) {
                    throw CaptureError.decodingFailed(source: format.name, reason: reason)
                }
                return nil
            }
            let stamp = format.timing == .arrival ? nil : VideoFilters.stamp(from: decoder)
            guard let (index, time) = place(stamp, .now) else { continue }
            return Frame(
                index: index, time: time,
                image: Image(
                    widthPixels: size.widthPixels, heightPixels: size.heightPixels, layout: VideoFilters.layout,
                    bytes: bytes))
        }
        return nil
    }

    /// The number and the time of the next picture; `nil` if it comes sooner than it is wanted.
    private func place(_ stamp: Double?, _ arrival: ContinuousClock.Instant) -> (index: Int, time: Double)? {
        state.withLock { state in
            state.pictures += 1
            guard let time = state.clock.next(stamp: stamp, arrival: arrival) else { return nil }
            state.frames += 1
            return (state.frames - 1, time)
        }
    }

    /// The bytes of the next picture; `nil` at the end, and when the last picture is incomplete.
    private func picture() -> [UInt8]? {
        let size = VideoFilters.layout.byteCount(widthPixels: size.widthPixels, heightPixels: size.heightPixels)
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

    /// Why the pictures ended; `nil` at the regular end of the recording.
    private func failure(after state: State) -> String? {
        let frames = state.frames
        let (status, complaint) = decoder.wait()
        if decoder.wasLate { return "no picture for \(timeoutSeconds) s" }
        let reason = complaint.isEmpty ? nil : VideoProbe.reason(complaint, format.name)
        if status > 128 { return "ffmpeg was ended by signal \(status - 128) after \(frames) frames" }
        if status != 0 || frames == 0 { return reason ?? "ffmpeg ended after \(frames) frames" }
        if state.pictures == 1 && format.name.contains("://") { return StreamAdvice.onePicture }
        // ffmpeg also reports success for a file that is cut off or cannot be decoded any further.
        let seconds = max(state.clock.position, state.clock.time ?? 0)
        guard let reason, let duration = format.durationSeconds, seconds < 0.9 * duration else { return nil }
        return "it breaks off after \(Int(seconds)) of \(Int(duration)) s: \(reason)"
    }

    /// Kills the decoder.
    public func stop() {
        state.withLock { $0.stopped = true }
        decoder.kill()
    }

    /// The processor time that ffmpeg has used so far, in seconds.
    public var decodingSeconds: Double { decoder.processorSeconds }
}
