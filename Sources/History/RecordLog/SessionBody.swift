import Actions
import Foundation

/// The `body` of a session record (contract, section 1.2).
public struct SessionBody: Sendable, Codable, Equatable {
    public var camera: String
    public var start: String
    /// While the session is open: when the person was last seen.
    public var end: String
    /// Absent while the session is open.
    public var endReason: String?
    public var model: String
    public var fps: Double
    public var actions: [Action]
    /// Absent while there are none.
    public var sets: [SetBody]?
    public var excludedFrames: [String: Int]

    public struct Action: Sendable, Codable, Equatable {
        public var label: String
        public var frames: Int
        public var seconds: Double
        public var reps: Int?
        /// Mean confidence of the credited predictions, 0…1.
        public var meanConfidence: Double

        enum CodingKeys: String, CodingKey {
            case label, frames, seconds, reps
            case meanConfidence = "conf_mean"
        }
    }

    enum CodingKeys: String, CodingKey {
        case camera, start, end, model, fps, actions, sets
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
            excludedFrames: session.excludedFrames)
    }

    /// The record of a session as the tables hold it.
    init(_ row: SessionRow) {
        self.init(
            camera: row.camera, start: row.start, end: row.end, endReason: row.endReason, model: row.model,
            fps: row.fps, actions: row.actions, sets: row.sets, excludedFrames: row.excludedFrames)
    }
}

extension SessionBody.Action {
    init(total: ActionTotal) {
        self.init(
            label: total.label, frames: total.frames, seconds: total.seconds.rounded(decimals: 3), reps: total.reps,
            meanConfidence: total.meanConfidence.rounded(decimals: 3))
    }
}
