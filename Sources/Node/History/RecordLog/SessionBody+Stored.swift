import Actions
import Contract
import Foundation
import Records

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
