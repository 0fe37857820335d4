import Agent
import Foundation
import Poses
import Synchronization
import Testing

@Suite struct RemotePreviewTests {
    private let frame = TrackedFrame(
        index: 0, time: 0, image: nil, widthPixels: 1280, heightPixels: 720, tracks: [], prominent: nil)

    @Test func `a preview is a JPEG and needs no external program`() async throws {
        let preview = RemotePreview()
        let picture = try await withCheckedThrowingContinuation { continuation in
            preview.draw(frame, of: "rack1") { continuation.resume(with: $0) }
        }
        #expect(picture.starts(with: [0xFF, 0xD8]) && picture.suffix(2) == [0xFF, 0xD9])
    }

    @Test func `pictures are drawn one at a time, and at most one for each camera waits`() async throws {
        let preview = RemotePreview()
        let drawn = Mutex<[String]>([])
        let hold = DispatchSemaphore(value: 0)
        let done = { (camera: String) -> @Sendable (Result<[UInt8], any Error>) -> Void in
            { _ in
                // No other picture is drawn until this one is finished.
                hold.wait()
                drawn.withLock { $0.append(camera) }
            }
        }
        for camera in ["a", "b", "a", "b", "a"] { preview.draw(frame, of: camera, done: done(camera)) }
        #expect(drawn.withLock { $0.isEmpty })
        await withCheckedContinuation { continuation in
            preview.draw(frame, of: "last") { _ in continuation.resume() }
            for _ in 0..<5 { hold.signal() }
        }
        #expect(drawn.withLock { $0 } == ["a", "b"])
    }
}
