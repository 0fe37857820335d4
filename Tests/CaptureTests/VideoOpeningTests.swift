import Capture
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests the opening of streams, and that their secrets reach only the server.
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
        let cancelled = Mutex<ContinuousClock.Instant?>(nil)
        Thread {
            while camera.asked.isEmpty { Thread.sleep(forTimeInterval: 0.02) }
            cancelled.withLock { $0 = .now }
            cancellation.cancel()
        }.start()
        let (error, ended) = try await onThread {
            do {
                _ = try VideoRecording("\(scheme)://127.0.0.1:\(camera.port)/x", cancellation: cancellation)
                return (nil as (any Error)?, ContinuousClock.now)
            } catch {
                return (error, ContinuousClock.now)
            }
        }
        #expect(error is CancellationError, "\(String(describing: error))")
        // Cancellation acts at once; the deadline would be fifteen seconds.
        let begun = try #require(cancelled.withLock { $0 })
        #expect(begun.duration(to: ended) < .seconds(10))
    }

    @Test func `opening does not begin after a cancellation`() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: CancellationError.self) {
            try VideoRecording("http://127.0.0.1:1/x", cancellation: cancellation)
        }
    }

    @Test func `a server that sends one byte a second is abandoned`() async throws {
        let camera = try HTTPCamera(.trickle)
        defer { camera.stop() }
        let error = try await #require(throws: CaptureError.self) {
            try await onThread { _ = try VideoRecording("http://127.0.0.1:\(camera.port)/x") }
        }
        #expect("\(error)".contains("in time"), "\(error)")
    }

    @Test(arguments: [true, false])
    func `an address's secrets reach the server, but no process list or message`(tellsLength: Bool) throws {
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
        // A known length marks a recording on a server.
        #expect((recording.format.durationSeconds != nil) == tellsLength)
        #expect(recording.format.widthPixels == 320 && recording.format.rateHz == 30)
        #expect(drain(recording).frames.count == 599)
    }

    @Test func `the error for an unreachable address hides its secrets`() throws {
        let error = try #require(throws: CaptureError.self) {
            _ = try VideoRecording("rtsp://anna:pa55word@127.0.0.1:1/x?token=t0ken")
        }
        #expect("\(error)".contains("refused"), "\(error)")
        #expect(!"\(error)".contains("pa55word") && !"\(error)".contains("t0ken"), "\(error)")
    }
}
