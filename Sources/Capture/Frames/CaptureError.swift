/// Why pictures do not come in. Every message ends in what to do next.
public enum CaptureError: Error, Equatable, Sendable {
    case fileNotFound(path: String)
    case decoderMissing(program: String)
    case decodingFailed(source: String, reason: String)
    case encodingFailed(path: String, reason: String)
    case cameraNotFound(device: String, present: [String])
    /// - Parameter holder: who has it, as far as that may be known.
    case cameraBusy(device: String, holder: String?)
    /// - Parameter group: who may open it.
    case permissionDenied(path: String, group: String?)
    case notACamera(device: String)
    case cameraFormat(device: String, step: String, reason: String)
    case cameraUnplugged(device: String)
    case cameraLost(device: String, reason: String)
    case cameraStalled(device: String, picture: StalledPicture)

    public enum StalledPicture: String, Sendable { case frozen, black }
}

extension CaptureError {
    /// The reason in one word, as it is published.
    public var word: String {
        switch self {
        case .fileNotFound, .cameraNotFound: "not_found"
        case .decoderMissing: "no_decoder"
        case .decodingFailed, .cameraLost, .encodingFailed: "no_frames"
        case .cameraBusy: "busy"
        case .permissionDenied: "no_permission"
        case .notACamera: "not_a_camera"
        case .cameraFormat: "no_format"
        case .cameraUnplugged: "unplugged"
        case .cameraStalled: "stalled"
        }
    }
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
                ? "no camera at \(device), and none is connected; plug one in and look with: spotter cameras list"
                : "no camera at \(device); connected: \(present.joined(separator: ", ")); set one of them as camera.source"
        case .cameraBusy(let device, let holder):
            "\(device) is in use by \(holder ?? "another program"); "
                + (holder == nil ? "find it with: fuser \(device)" : "end that, then it is taken by itself")
        case .permissionDenied(let path, let group):
            path.hasPrefix("/dev/")
                ? "no permission to open \(path); add this user to its group with: "
                    + "usermod -aG \(group ?? "video") $USER, and log in again"
                : "no permission to read \(path); mend it with: chmod a+r '\(path)'"
        case .notACamera(let device):
            "\(device) is not a camera that can stream; see those that are with: spotter cameras list"
        case .cameraFormat(let device, let step, let reason):
            "\(device) refuses \(step): \(reason); see what it offers with: spotter cameras list --modes"
        case .cameraUnplugged(let device):
            "\(device) went away; check the cable and plug it in again"
        case .cameraLost(let device, let reason):
            "\(device) stopped delivering pictures: \(reason); check the cable, then plug it in again"
        case .cameraStalled(let device, .frozen):
            "\(device) shows the same picture for too long: it is frozen; plug it out and in again"
        case .cameraStalled(let device, .black):
            "\(device) shows nothing but black; take off its cover, or switch on the light"
        }
    }
}
