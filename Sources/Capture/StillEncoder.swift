/// Makes one JPEG of a picture through ffmpeg.
public enum StillEncoder {
    /// - Returns: the JPEG's bytes.
    /// - Throws: ``CaptureError/decoderMissing(program:)`` when ffmpeg is not installed,
    ///   ``CaptureError/encodingFailed(path:reason:)`` when it gave up.
    public static func jpeg(_ image: Image) throws -> [UInt8] {
        let encoder = try ChildProcess(
            "ffmpeg",
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
                "\(image.widthPixels)x\(image.heightPixels)", "-i", "-", "-frames:v", "1", "-q:v", "5", "-f", "mjpeg",
                "-",
            ], takesInput: true)
        let isWritten = image.rgb.withUnsafeBytes { encoder.write($0) }
        encoder.closeInput()
        let bytes = encoder.readAll(limit: 1 << 20)
        let (status, complaint) = encoder.wait()
        guard isWritten, status == 0, bytes.starts(with: [0xFF, 0xD8]) else {
            throw CaptureError.encodingFailed(path: "a preview", reason: complaint)
        }
        return bytes
    }
}
