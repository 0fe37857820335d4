/// Why a source delivers no frames. Every message ends with what to do next.
public enum CaptureError: Error, Equatable, Sendable {
    /// The video file does not exist.
    case fileNotFound(path: String)
    /// ffmpeg or ffprobe cannot be started.
    case decoderMissing(program: String)
    /// A file or stream cannot be opened or decoded, or stops delivering frames.
    case decodingFailed(source: String, reason: String)
    /// A video or still picture cannot be written.
    case encodingFailed(path: String, reason: String)
    /// There is no such camera.
    ///
    /// - Parameter present: paths of the connected video devices.
    case cameraNotFound(device: String, present: [String])
    /// Another program uses the camera.
    ///
    /// - Parameter holder: that program; `nil` when this user may not see it.
    case cameraBusy(device: String, holder: String?)
    /// This user may not open the file or device.
    ///
    /// - Parameter group: the group that may open it; `nil` when unknown or root.
    case permissionDenied(path: String, group: String?)
    /// The device cannot capture and stream video.
    case notACamera(device: String)
    /// The camera refuses a step of the set-up.
    ///
    /// - Parameter step: what was asked for, as in `the format MJPG 640×480`.
    case cameraFormat(device: String, step: String, reason: String)
    /// The device disappeared.
    case cameraUnplugged(device: String)
    /// The device is still present but delivers no frames.
    case cameraLost(device: String, reason: String)
    /// The camera delivers frames, but their picture is frozen or black.
    case cameraStalled(device: String, picture: StalledPicture)

    /// What a stalled camera shows.
    public enum StalledPicture: String, Sendable { case frozen, black }
}

extension CaptureError {
    /// The reason as one word, as it is published over MQTT.
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
            if let address = StreamAdvice.address(meantBy: path).map(Redaction.covered) {
                "no such file: \(address.dropFirst("rtsp://".count)); for a camera on the network, write \(address)"
            } else {
                "no such file: \(path); check the path, or give a camera (/dev/video0) or a stream (rtsp://…)"
            }
        case .decoderMissing(let program):
            "the program '\(program)' is not installed; install it with: apt-get install ffmpeg"
        case .decodingFailed(let source, let reason):
            "cannot decode \(source): \(reason); \(StreamAdvice.text(reason, of: source))"
        case .encodingFailed(let path, let reason):
            "cannot write the video \(path): \(reason); choose another place or ending, such as .mp4"
        case .cameraNotFound(let device, let present):
            present.isEmpty
                ? "no camera at \(device), and none is connected; plug one in and look with: spotter cameras list"
                : "no camera at \(device); connected: \(present.joined(separator: ", ")); "
                    + "set one of them as camera.source"
        case .cameraBusy(let device, let holder):
            "\(device) is in use by \(holder ?? "another program"); "
                + (holder == nil ? "find it with: fuser \(device)" : "end it, then the camera opens by itself")
        case .permissionDenied(let path, let group):
            path.hasPrefix("/dev/")
                ? "no permission to open \(path); add this user to its group with: "
                    + "usermod -aG \(group ?? "video") $USER, and log in again"
                : "no permission to read \(path); fix it with: chmod a+r '\(path)'"
        case .notACamera(let device):
            "\(device) is not a camera that can stream; see those that are with: spotter cameras list"
        case .cameraFormat(let device, let step, let reason):
            "\(device) refuses \(step): \(reason); see what it offers with: spotter cameras list --modes"
        case .cameraUnplugged(let device):
            "\(device) was unplugged; check the cable and plug it in again"
        case .cameraLost(let device, let reason):
            "\(device) stopped delivering pictures: \(reason); check the cable, then plug it in again"
        case .cameraStalled(let device, .frozen):
            "\(device) shows the same picture for too long: it is frozen; unplug it and plug it in again"
        case .cameraStalled(let device, .black):
            "\(device) shows nothing but black; take off its cover, or switch on the light"
        }
    }
}
