import Foundation

/// Writes pictures to a video file through ffmpeg: H.264, or the format that the file extension asks for.
public final class VideoEncoder {
    private let encoder: ChildProcess
    private let path: String

    /// Starts a video; every picture must have the given size.
    ///
    /// - Parameter subtitles: An ASS file that ffmpeg draws over the pictures.
    /// - Throws: ``CaptureError/decoderMissing(program:)`` when ffmpeg is not installed.
    public init(path: String, widthPixels: Int, heightPixels: Int, rateHz: Double, subtitles: URL?) throws {
        self.path = path
        // H.264 with 4:2:0 chroma subsampling needs even sizes.
        var filters = ["pad=ceil(iw/2)*2:ceil(ih/2)*2"]
        if let subtitles { filters.insert("ass=filename=\(Self.escape(subtitles.path))", at: 0) }
        encoder = try ChildProcess(
            "ffmpeg",
            [
                "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(widthPixels)x\(heightPixels)",
                "-framerate", "\(rateHz)", "-i", "-", "-vf", filters.joined(separator: ","), "-pix_fmt", "yuv420p",
                "-movflags", "+faststart", "file:" + path,
            ], input: .written)
    }

    /// Appends a picture.
    ///
    /// - Throws: ``CaptureError/encodingFailed(path:reason:)`` when ffmpeg has ended.
    public func write(_ image: Image) throws {
        guard image.rgb.withUnsafeBytes({ encoder.write($0) }) else { throw failure() }
    }

    /// Waits until the file is complete.
    ///
    /// - Throws: ``CaptureError/encodingFailed(path:reason:)`` when ffmpeg failed.
    public func finish() throws {
        encoder.closeInput()
        guard encoder.wait().status == 0 else { throw failure() }
    }

    private func failure() -> CaptureError {
        encoder.closeInput()
        return .encodingFailed(path: path, reason: encoder.wait().complaint)
    }

    /// Quotes a path for a filter description, which ffmpeg parses twice.
    private static func escape(_ path: String) -> String {
        "'" + path.replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("'", with: "'\\\\\\''") + "'"
    }
}
