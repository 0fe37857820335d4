import Capture
import Testing

struct StreamAdviceTests {
    @Test(arguments: [
        ("rtsp://cam/live", "Server returned 401 Unauthorized (authorization failed)", "user and password"),
        ("http://cam/live", "Server returned 404 Not Found", "check the path"),
        ("rtsp://cam/live", "method SETUP failed: 461 Unsupported transport", "neither TCP nor UDP"),
        ("rtsp://cam:8554/live", "Connection refused", "nothing listens at this port"),
        ("rtsp://cam/live", "it does not answer in time", "has power"),
        // What ffmpeg 5.1 says of TLS on a port without it, and the reverse.
        ("rtsps://cam/live", "Input/output error", "try rtsp://"),
        ("https://cam/live", "Input/output error", "try http://"),
        ("rtsps://cam/live", "Connection reset by peer", "try rtsp://"),
        ("rtsp://cam/live", "Connection reset by peer", "try rtsps://"),
        ("rtsp://cam/live", "Invalid data found when processing input", "try rtsps://"),
        ("http://cam/live", "End of file", "try https://"), ("http://nohost/x", "Input/output error", "host's name"),
        ("clip.mp4", "Invalid data found when processing input", "ffplay 'clip.mp4'"),
    ])
    func `an error of a stream says what to try`(_ source: String, _ reason: String, _ advice: String) {
        let text = CaptureError.decodingFailed(source: source, reason: reason).description
        #expect(text.hasPrefix("cannot decode \(source): \(reason); ") && text.contains(advice), "\(text)")
    }
}
