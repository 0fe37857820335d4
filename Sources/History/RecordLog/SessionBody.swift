import Actions
import Foundation
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

        enum CodingKeys: String, CodingKey {
            case label, frames, seconds, reps
            case meanConfidence = "conf_mean"
        }
    }

    enum CodingKeys: String, CodingKey {
        case camera, start, end, model, fps, actions, sets, zone
        case endReason = "end_reason"
        case excludedFrames = "excluded_frames"
    }
}

extension SessionBody {
    init(_ session: Session, model: ModelStamp) {
        self.init(
            camera: session.camera, start: Timestamp.text(session.start),
            end: Timestamp.text(max(session.start, session.end)), endReason: session.endReason?.rawValue,
            model: model.id, fps: model.framesPerSecond,
            actions: session.actions.map { Action(total: $0) }, sets: SetBody.list(session.sets),
            excludedFrames: session.excludedFrames, zone: session.zone)
    }

    /// The body of a stored session.
    init(_ row: SessionRow) {
        self.init(
            camera: row.camera, start: row.start, end: row.end, endReason: row.endReason, model: row.model,
            fps: row.fps, actions: row.actions, sets: row.sets, excludedFrames: row.excludedFrames, zone: row.zone)
    }
}

extension SessionBody.Action {
    /// The totals as they appear in records: rounded to three decimals.
    package init(total: ActionTotal) {
        self.init(
            label: total.label, frames: total.frames, seconds: total.seconds.rounded(decimals: 3), reps: total.reps,
            meanConfidence: total.meanConfidence.rounded(decimals: 3))
    }
}

extension SessionBody {
    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("camera", .required(.id)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("end_reason", .optional(.text(words: Session.EndReason.allCases.map(\.rawValue)), "Absent while it goes on.")),
        ("model", .required(.words)), ("fps", .required(.number(minimum: 0))),
        (
            "actions",
            .required(
                .list(
                    .object([
                        ("label", .required(.words)), ("frames", .required(.count)),
                        ("seconds", .required(.number(minimum: 0))),
                        ("reps", .optional(.count)),
                        (
                            "conf_mean",
                            .optional(.share, "Of what was recognised; absent where people corrected all of it.")
                        ),
                    ])))
        ),
        ("sets", .optional(.list(SetBody.schema), "Absent while there are none.")),
        ("excluded_frames", .required(.map(.count))),
        ("zone", .optional(.id, "Where most of it took place; absent outside all zones.")),
    ])

    /// The schema of a deleted session's body.
    package static let tombstoneSchema = Schema.object([("deleted", .required(.constant(true)))])
}
