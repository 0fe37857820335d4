import Capture
import Foundation
import Messaging
import Poses
import Synchronization

/// What the command `preview` asked for: for some seconds, once a second, a camera's people as skeletons on black.
///
/// Only joints are drawn; no pixel of the camera's picture is ever taken.
final class RemotePreview: Sendable {
    /// Wider pictures are drawn smaller.
    private static let maximumWidthPixels = 640

    private struct Wish {
        var until: ContinuousClock.Instant
        var next: ContinuousClock.Instant
    }

    private let wishes = Mutex<[String: Wish]>([:])

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
