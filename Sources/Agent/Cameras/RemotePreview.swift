import Capture
import Foundation
import Messaging
import Poses
import Synchronization

/// What the command `preview` asked for: for some seconds, once a second, a camera's people as skeletons on black.
///
/// Only joints are drawn; no pixel of the camera's picture is ever taken.
package final class RemotePreview: Sendable {
    /// Wider pictures are drawn smaller.
    private static let maximumWidthPixels = 640

    private struct Wish {
        var until: ContinuousClock.Instant
        var next: ContinuousClock.Instant
    }

    private let wishes = Mutex<[String: Wish]>([:])
    /// Draws one picture at a time, beside the chains and beside the threads that all other tasks share.
    private let queue = DispatchQueue(label: "preview")
    /// The cameras whose picture is being made, or waits for its turn.
    private let waiting = Mutex<Set<String>>([])

    package init() {}

    func wish(_ camera: String, seconds: Int) {
        wishes.withLock { wishes in
            let next = wishes[camera]?.next ?? .now
            wishes[camera] = Wish(until: .now + .seconds(seconds), next: next)
        }
    }

    /// Whether a picture of this camera is to be made now; the next one is due a second later.
    func isDue(_ camera: String, now: ContinuousClock.Instant = .now) -> Bool {
        wishes.withLock { wishes in
            guard let wish = wishes[camera] else { return false }
            guard now < wish.until else {
                wishes[camera] = nil
                return false
            }
            guard now >= wish.next else { return false }
            wishes[camera]?.next = now + .seconds(1)
            return true
        }
    }

    /// Draws a frame's people, on a thread of its own; leaves it out while this camera's last picture is not done.
    ///
    /// - Parameter done: gets the JPEG, or the `CaptureError` it failed by.
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

    /// - Returns: a JPEG of the people's wireframes.
    /// - Throws: `CaptureError`.
    static func picture(of tracks: [Track], widthPixels: Int, heightPixels: Int) throws -> [UInt8] {
        let width = min(widthPixels, maximumWidthPixels)
        let height = max(1, heightPixels * width / max(widthPixels, 1))
        var canvas = Canvas(widthPixels: width, heightPixels: height)
        Skeletons().draw(tracks, on: &canvas, widthPixels: width, heightPixels: height)
        return try StillEncoder.jpeg(canvas.image)
    }
}
