import Foundation
import TestSupport
import Testing

/// What `spotter cameras test` finds wrong with a stream.
@Suite struct CameraTestTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Parts of a stream of JPEG pictures, each unlike the others.
    private func pictures(_ count: Int) throws -> [Data] {
        try Program.tool(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25,noise=alls=20:allf=t"]
                + ["-frames:v", "\(count)", folder.file("%03d.jpg").path])
        return try (1...count).map { index in
            let bytes = try Data(contentsOf: folder.file(String(format: "%03d.jpg", index)))
            let head = "--b\r\nContent-Type: image/jpeg\r\nContent-Length: \(bytes.count)\r\n\r\n"
            return Data(head.utf8) + bytes + Data("\r\n".utf8)
        }
    }

    private func test(_ parts: [Data], type: String = "multipart/x-mixed-replace; boundary=b", seconds: Int)
        throws -> Program.Result
    {
        let camera = try HTTPCamera(.parts(parts, type: type, everySeconds: 0.2))
        defer { camera.stop() }
        return try Program.run("cameras", "test", "http://127.0.0.1:\(camera.port)/", "--seconds", "\(seconds)")
    }

    @Test func `a stream that stalls is not good`() throws {
        let parts = try pictures(25)
        // Nothing comes for three seconds.
        let pause = [Data](repeating: Data(), count: 15)
        let result = try test(Array(parts[..<10]) + pause + Array(parts[10...]), seconds: 6)
        #expect(result.status == 1 && result.messages.contains("The stream stalls for"), "\(result)")
    }

    @Test func `a stream that is frozen most of the time is not good`() throws {
        let parts = try pictures(4)
        let result = try test(parts + [Data](repeating: parts[0], count: 20), seconds: 3)
        #expect(result.status == 1 && result.messages.contains("are the same as the one before"), "\(result)")
    }

    @Test func `a stream that ends by itself is not good`() throws {
        let result = try test(try pictures(12), seconds: 8)
        #expect(result.status == 1 && result.messages.contains("The stream ended after"), "\(result)")
    }

    @Test(arguments: [
        ("<html><body>log in</body></html>", "text/html"), ("hello\n", "text/plain"),
        ("{\"a\": 1}", "application/json"),
    ])
    func `a page or a text is called no video`(text: String, type: String) throws {
        let result = try test([Data(text.utf8)], type: type, seconds: 3)
        #expect(result.status == 74, "\(result)")
        #expect(result.messages.contains("no video; open it in a browser"), "\(result.messages)")
    }

    @Test func `sound is called no video`() throws {
        let file = folder.file("a.mp3")
        try Program.tool("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=duration=2", file.path])
        let result = try test([try Data(contentsOf: file)], type: "audio/mpeg", seconds: 3)
        #expect(result.status == 74 && result.messages.contains("it holds no video stream"), "\(result)")
    }

    @Test(arguments: ["--width", "--height", "--rate"])
    func `what is asked of a device is refused for an address`(option: String) throws {
        let result = try Program.run("cameras", "test", "http://127.0.0.1:1/", option, "20")
        #expect(result.status == 2 && result.messages.contains("\(option) is for cameras of this machine"), "\(result)")
    }
}
