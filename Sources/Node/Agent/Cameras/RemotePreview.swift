import Capture
import Foundation
import Messaging
import Poses
import Synchronization

/// Serves the command `preview`: draws a camera's people as skeletons on black, once a second for a limited time.
///
/// Only joints are drawn. The camera's picture is never used.
package final class RemotePreview: Sendable {
    /// Wider pictures are scaled down to this width.
    private static let maximumWidthPixels = 640

    private struct Request {
        var until: ContinuousClock.Instant
        var next: ContinuousClock.Instant
    }

    private let requests = Mutex<[String: Request]>([:])
    /// Draws one picture at a time, apart from the recognition chains and the shared thread pool.
    private let queue = DispatchQueue(label: "preview")
    /// The cameras whose picture is being drawn or waits in the queue.
    private let waiting = Mutex<Set<String>>([])

    /// No requests.
    package init() {}

    func wish(_ camera: String, seconds: Int) {
        requests.withLock { requests in
            let next = requests[camera]?.next ?? .now
            requests[camera] = Request(until: .now + .seconds(seconds), next: next)
        }
    }

    /// Whether a picture of this camera is due now. The next one is due a second later.
    func isDue(_ camera: String, now: ContinuousClock.Instant = .now) -> Bool {
        requests.withLock { requests in
            guard let wish = requests[camera] else { return false }
            guard now < wish.until else {
                requests[camera] = nil
                return false
            }
            guard now >= wish.next else { return false }
            requests[camera]?.next = now + .seconds(1)
            return true
        }
    }

    /// Draws a frame's people on the queue. Skips the frame while this camera's last picture is unfinished.
    ///
    /// - Parameter done: receives the JPEG, or a `CaptureError`.
    package func draw(
        _ frame: TrackedFrame, of camera: String, done: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
    ) {
        guard waiting.withLock({ $0.insert(camera).inserted }) else { return }
        let (tracks, width, height) = (frame.tracks, frame.widthPixels, frame.heightPixels)
        queue.async { [self] in
            done(Result { try Self.picture(of: tracks, widthPixels: width, heightPixels: height) })
            waiting.withLock { _ = $0.remove(camera) }
        }
    }

    /// Draws the people's wireframes.
    ///
    /// - Returns: a JPEG.
    /// - Throws: `CaptureError`.
    static func picture(of tracks: [Track], widthPixels: Int, heightPixels: Int) throws -> [UInt8] {
        let width = min(widthPixels, maximumWidthPixels)
        let height = max(1, heightPixels * width / max(widthPixels, 1))
        var canvas = Canvas(widthPixels: width, heightPixels: height)
        Skeletons().draw(tracks, on: &canvas, widthPixels: width, heightPixels: height)
        return try StillEncoder.jpeg(canvas.image)
    }
}
