import Records

/// The `body` of a session record.
public struct SessionBody: Sendable, Codable, Equatable {
    /// The camera's id.
    public var camera: String
    /// When the session began: RFC 3339, UTC.
    public var start: String
    /// When the session ended, or while it is open when the person was last seen: RFC 3339, UTC.
    public var end: String
    /// Why the session ended; `nil` while it is open.
    public var endReason: String?
    /// The model's name and the start of its digest.
    public var model: String
    /// The frame rate by which frames become seconds.
    public var fps: Double
    /// What the person did, one entry per label.
    public var actions: [Action]
    /// The sets; `nil` while there are none.
    public var sets: [SetBody]?
    /// Frames that were not counted, by reason.
    public var excludedFrames: [String: Int]
    /// The zone in which most of the session took place; `nil` outside all zones.
    public var zone: String?

    /// The totals of one action in the session.
    public struct Action: Sendable, Codable, Equatable {
        /// The model's label.
        public var label: String
        /// Frames credited to the label.
        public var frames: Int
        /// The same in seconds.
        public var seconds: Double
        /// Repetitions; `nil` where they are not counted.
        public var reps: Int?
        /// The mean confidence of what was recognised, 0…1; `nil` where people corrected all of it.
        public var meanConfidence: Double?

        /// Totals of these values.
        package init(label: String, frames: Int, seconds: Double, reps: Int? = nil, meanConfidence: Double? = nil) {
            (self.label, self.frames, self.seconds) = (label, frames, seconds)
            (self.reps, self.meanConfidence) = (reps, meanConfidence)
        }

        enum CodingKeys: String, CodingKey {
            case label, frames, seconds, reps
            case meanConfidence = "conf_mean"
        }
    }

    /// A session of these values.
    package init(
        camera: String, start: String, end: String, endReason: String?, model: String, fps: Double, actions: [Action],
        sets: [SetBody]?, excludedFrames: [String: Int], zone: String?
    ) {
        (self.camera, self.start, self.end, self.endReason) = (camera, start, end, endReason)
        (self.model, self.fps, self.actions, self.sets) = (model, fps, actions, sets)
        (self.excludedFrames, self.zone) = (excludedFrames, zone)
    }

    enum CodingKeys: String, CodingKey {
        case camera, start, end, model, fps, actions, sets, zone
        case endReason = "end_reason"
        case excludedFrames = "excluded_frames"
    }
}

extension SessionBody {
    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("camera", .required(.id)), ("start", .required(.moment)), ("end", .required(.moment)),
        (
            "end_reason",
            .optional(
                .text(words: SessionEndReason.allCases.map(\.rawValue), limit: .word), "Absent while it goes on.")
        ),
        ("model", .required(.model)), ("fps", .required(.rate)),
        (
            "actions",
            .required(
                .list(
                    .object([
                        ("label", .required(.word)), ("frames", .required(.tally)),
                        ("seconds", .required(.seconds)), ("reps", .optional(.tally)),
                        (
                            "conf_mean",
                            .optional(.share, "Of what was recognised; absent where people corrected all of it.")
                        ),
                    ])))
        ),
        ("sets", .optional(.list(SetBody.schema), "Absent while there are none.")),
        ("excluded_frames", .required(.map(.tally))),
        ("zone", .optional(.id, "Where most of it took place; absent outside all zones.")),
    ])

    /// The schema of the body of a session that was deleted, or became part of another one.
    package static let tombstoneSchema = Schema.object([
        ("deleted", .required(.constant(true))),
        (
            "merged_into",
            .optional(.uuid, "The session of which it is a part now, because both were the same person's.")
        ),
    ])
}

/// Why a session ended.
public enum SessionEndReason: String, Sendable, Codable, CaseIterable {
    /// There was no exercise for the configured idle time.
    case idle
    /// The person left the picture.
    case left
    /// The recording ended.
    case sourceEnded = "source_ended"
    /// The camera or stream was lost.
    case cameraLost = "camera_lost"
    /// The program was stopped, or a command ended the session.
    case stopped
    /// The program crashed. The session was closed at the next start.
    case crash
    /// The session was open in a backup that was restored. It was closed at the next start.
    case restored
}
