/// Why pictures do not come in. Every message ends in what to do next.
public enum CaptureError: Error, Equatable, Sendable {
    case fileNotFound(path: String)
    case decoderMissing(program: String)
    case decodingFailed(source: String, reason: String)
    case encodingFailed(path: String, reason: String)
    case cameraNotFound(device: String, present: [String])
    case cameraBusy(device: String)
    case permissionDenied(path: String)
    case notACamera(device: String)
    case cameraFormat(device: String, step: String, reason: String)
    case cameraLost(device: String, reason: String)
}

extension CaptureError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .fileNotFound(let path):
            "no such file: \(path); check the path, or give a camera (/dev/video0) or a stream (rtsp://…)"
        case .decoderMissing(let program):
            "the program '\(program)' is not installed; install it with: apt-get install ffmpeg"
        case .decodingFailed(let source, let reason):
            "cannot decode \(source): \(reason); check that it plays with: ffplay '\(source)'"
        case .encodingFailed(let path, let reason):
            "cannot write the video \(path): \(reason); choose another place or ending, such as .mp4"
        case .cameraNotFound(let device, let present):
            present.isEmpty
                ? "no camera at \(device), and none is connected; plug one in and look for /dev/video*"
                : "no camera at \(device); connected: \(present.joined(separator: ", ")); set one of them as camera.source"
        case .cameraBusy(let device):
            "\(device) is in use by another program; find it with: fuser \(device)"
        case .permissionDenied(let path):
            path.hasPrefix("/dev/")
                ? "no permission to open \(path); add this user to its group with: usermod -aG video $USER, and log in again"
                : "no permission to read \(path); mend it with: chmod a+r '\(path)'"
        case .notACamera(let device):
            "\(device) is not a camera that can stream; list the cameras with: v4l2-ctl --list-devices"
        case .cameraFormat(let device, let step, let reason):
            "\(device) refuses \(step): \(reason); try another width, height or rate in config.toml"
        case .cameraLost(let device, let reason):
            "\(device) stopped delivering pictures: \(reason); check the cable, then start again"
        }
    }
}
