import Actions
import Agent
import Capture
import Foundation
import Logging
import Poses
import Synchronization
import TestSupport

/// Frames with pictures, and a log that can be read.
enum PictureFixture {
    /// A frame whose picture is of one grey.
    static func result(
        at now: ContinuousClock.Instant = .now, grey: UInt8 = 128, width: Int = 4, height: Int = 2
    ) -> CameraResult {
        let image = Image(
            widthPixels: width, heightPixels: height, rgb: [UInt8](repeating: grey, count: width * height * 3))
        let frame = TrackedFrame(
            index: 0, time: 0, image: image, widthPixels: width, heightPixels: height, tracks: [], prominent: nil)
        return CameraResult(
            frameResult: RecognitionChain.FrameResult(frame: frame), origin: LiveFixture.origin,
            wall: LiveFixture.origin, now: now)
    }

    /// The size of a JPEG, as ffmpeg decodes it.
    static func size(of jpeg: Data) async throws -> [Int] {
        try await apart {
            let folder = try TemporaryFolder()
            let file = folder.file("picture.jpg")
            try jpeg.write(to: file)
            let image = try VideoRecording(file.path).next()?.image
            return [image?.widthPixels ?? 0, image?.heightPixels ?? 0]
        }
    }

    /// Whether a condition becomes true within a minute.
    static func wait(until isTrue: () -> Bool) async throws -> Bool {
        for _ in 0..<3000 {
            if isTrue() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return isTrue()
    }

    /// Keeps the lines of a log.
    final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        /// How many lines contain a text.
        func count(_ text: String) -> Int { lines.withLock { $0.count { $0.contains(text) } } }

        var logger: Logger { Logger(label: "test") { _ in Handler(owner: self) } }

        private struct Handler: LogHandler {
            let owner: Log
            var logLevel = Logger.Level.info
            var metadata: Logger.Metadata = [:]

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) { owner.lines.withLock { $0.append("\(event.level) \(event.message)") } }
        }
    }
}
