import Capture
import Foundation
import TemporaryFolder
import Testing

/// Streams: how they are opened, and what nobody but the server gets to see.
@Suite struct VideoOpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["http", "rtsp"], [HTTPCamera.Answer.silence, .trickle])
    func `the opening of a server that never answers can be cancelled`(
        scheme: String, answer: HTTPCamera.Answer
    ) async throws {
        let camera = try HTTPCamera(answer)
        defer { camera.stop() }
        let cancellation = Cancellation()
        let opening = Task {
            try await onThread {
                try VideoRecording("\(scheme)://127.0.0.1:\(camera.port)/x", cancellation: cancellation)
            }
        }
        #expect(try await eventually { !camera.asked.isEmpty })
        let asked = ContinuousClock.now
        cancellation.cancel()
        await #expect(throws: CancellationError.self) { _ = try await opening.value }
        // At once; the deadline would be fifteen seconds.
        #expect(asked.duration(to: .now) < .seconds(10))
    }

    @Test func `an opening that was cancelled before does not begin`() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: CancellationError.self) {
            try VideoRecording("http://127.0.0.1:1/x", cancellation: cancellation)
        }
    }

    @Test func `a server that sends a byte a second is given up`() async throws {
        let camera = try HTTPCamera(.trickle)
        defer { camera.stop() }
        let error = try await #require(throws: CaptureError.self) {
            try await onThread { _ = try VideoRecording("http://127.0.0.1:\(camera.port)/x") }
        }
        #expect("\(error)".contains("in time"), "\(error)")
    }

    @Test(arguments: [true, false])
    func `what an address holds reaches the server, and no list of processes or message`(tellsLength: Bool) throws {
        let file = folder.file("film.mkv")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc=duration=20:size=320x240:rate=30", "-c:v", "mjpeg", "-q:v", "2", file.path)
        let camera = try HTTPCamera(.file(try Data(contentsOf: file), tellsLength: tellsLength))
        defer { camera.stop() }
        let source = "http://anna:pa55word@127.0.0.1:\(camera.port)/film.mkv?channel=1&token=t0ken"
        let recording = try VideoRecording(source)
        #expect(try recording.next() != nil)
        #expect(camera.asked.contains("GET /film.mkv?channel=1&token=t0ken"))
        let password = Data("anna:pa55word".utf8).base64EncodedString()
        #expect(camera.asked.contains("Authorization: Basic \(password)"))
        for secret in ["pa55word", "t0ken"] {
            #expect(VideoRefusalTests.children(holding: secret).isEmpty)
            #expect(!recording.format.name.contains(secret))
        }
        // A recording on a server is known by its length.
        #expect((recording.format.durationSeconds != nil) == tellsLength)
        #expect(recording.format.widthPixels == 320 && recording.format.rateHz == 30)
        #expect(drain(recording).frames.count == 599)
    }

    @Test func `an address that leads nowhere is told without its secrets`() throws {
        let error = try #require(throws: CaptureError.self) {
            _ = try VideoRecording("rtsp://anna:pa55word@127.0.0.1:1/x?token=t0ken")
        }
        #expect("\(error)".contains("refused"), "\(error)")
        #expect(!"\(error)".contains("pa55word") && !"\(error)".contains("t0ken"), "\(error)")
    }
}
