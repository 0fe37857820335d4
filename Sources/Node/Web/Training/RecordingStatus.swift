import Foundation
import HTTPServing

/// What to record.
package struct RecordingOrder: Encodable, Sendable {
    /// The camera's id, and what the clip is to be called.
    package let camera, label, person: String
    /// Its length.
    package let seconds: Double
    /// Seconds before it begins.
    package let countdown: Int

    /// An order from its parts.
    ///
    /// - Throws: ``WebFailure`` for a label, name or length that is not allowed.
    package init(camera: String, label: String, person: String, seconds: Double, countdown: Int) throws {
        // The name of the clip is checked before a person exerts themselves.
        _ = try ClipName(label: label, person: person, at: Date())
        guard (2...60).contains(seconds), (0...60).contains(countdown) else {
            throw WebFailure(.badRequest, "bad_length", "'seconds' takes 2 to 60, and 'countdown' 0 to 60.")
        }
        (self.camera, self.label, self.person) = (camera, label, person)
        (self.seconds, self.countdown) = (seconds, countdown)
    }
}

/// The state of the recorder: `GET /api/v1/clips/record`.
package struct RecordingStatus: Encodable {
    /// What the recorder does.
    package enum Phase: String, Encodable {
        case idle, countdown, recording, saving
    }

    /// How a recording ended.
    package struct Outcome: Encodable {
        /// The id of the clip; `nil` when none was kept.
        package var clip: String?
        /// How good it is.
        package var figures: ClipFigures?
        /// The seconds of standing still that were cut off.
        package var still: Double?
        /// Why there is no clip.
        package var message: String?
    }

    /// What the recorder does.
    package var state: Phase
    /// What is recorded.
    package var order: RecordingOrder?
    /// Seconds to the start or the end.
    package var left: Double?
    /// How the last recording ended; `nil` before, and while another one is going on.
    package var last: Outcome?
}
