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

    @Test(arguments: [
        "192.168.1.20:554/stream", "192.168.1.20/stream", "gym:pass@192.168.1.20:554/stream", "camera.local:8554",
    ])
    func `an address without its scheme is known`(_ name: String) {
        let text = "\(CaptureError.fileNotFound(path: name))"
        #expect(text.contains("write rtsp://") && !text.contains("pass"), "\(text)")
    }

    @Test(arguments: ["clip.mp4", "/srv/clips/12:30.mp4", "./host:80", "monday:morning.mp4", "1.2.mp4"])
    func `a missing file is no address`(_ name: String) {
        #expect("\(CaptureError.fileNotFound(path: name))".hasPrefix("no such file: \(name); check the path"))
    }

    @Test(arguments: [
        ("rtsp://gym:p@ss@127.0.0.1:1/a", true), ("rtsp://gym:p/ss@127.0.0.1:1/a", true),
        ("http://gym:p?ss@127.0.0.1:1/a", true), ("http://gym:p#s:s@127.0.0.1:1/a", true),
        ("rtsp://gym:p:ss@127.0.0.1:1/a", true), ("rtsp://gym:p%40ss@127.0.0.1:1/a", false),
        ("http://127.0.0.1:8080/a@b", false), ("http://127.0.0.1/a?mail=a@b", false),
        ("http://gym:pw@cam/a?mail=a@b", false),
        ("rtsp://gym:p@ss:w/ord?#1@127.0.0.1:1/a", true), ("rtsp://gym:p@ss/w@127.0.0.1/a", true),
        ("rtsp://gym:pass@[::1]:554/a", false), ("rtsp://[::1]:554/a@b", false), ("rtsp://gym:pass@cam:554/a", false),
        ("rtsp://cam/live", false),
    ])
    func `a password with signs that an address cannot hold gets a hint`(_ source: String, _ isRaw: Bool) {
        #expect(StreamAdvice.hasRawPassword(source) == isRaw)
        let text = "\(CaptureError.decodingFailed(source: "x", reason: "Invalid argument" + StreamAdvice.rawPassword))"
        #expect(text.contains("as %40 %3A %2F %3F %23"))
    }
}
