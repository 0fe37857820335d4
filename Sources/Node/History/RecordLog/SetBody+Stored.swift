import Actions
import Contract
import Foundation
import GRDB
import Records

extension SetBody {
    /// The sets of a session, each with the rest before it and its correction; `nil` if there are none.
    static func list(_ sets: [SessionSet], _ corrections: [Int: SetCorrection] = [:]) -> [SetBody]? {
        var before: Date?
        let bodies = sets.map { set in
            defer { before = set.end }
            return SetBody(set, after: before, correction: corrections[set.number])
        }
        return bodies.isEmpty ? nil : bodies
    }

    /// - Parameters:
    ///   - before: when the session's previous set ended; `nil` for the first set.
    ///   - correction: what a person said of the set; `nil` for what was recognised.
    init(_ set: SessionSet, after before: Date?, correction: SetCorrection? = nil) {
        let isAsSeen = correction.map { $0.isAs(set) } ?? true
        let isOther = correction.map { $0.label != set.label } ?? false
        self.init(
            number: set.number, label: correction?.label ?? set.label, start: Timestamp.text(set.start),
            end: Timestamp.text(set.end), reps: correction?.reps ?? set.reps,
            restSeconds: before.map { max(0, set.start.timeIntervalSince($0)).rounded(decimals: 1) },
            form: isOther ? nil : set.form,
            zone: set.zone,
            corrected: correction.flatMap {
                $0.isAs(set) ? nil : Recognised(label: set.label, reps: set.reps)
            }, loadKg: correction?.loadKg, rpe: correction?.rpe, confidence: isOther ? nil : set.confidence,
            repsMargin: isAsSeen ? set.repsMargin : nil, leftReps: isAsSeen ? set.leftReps : nil,
            rightReps: isAsSeen ? set.rightReps : nil)
    }
}

extension SessionSet {
    /// Reads a row of `session_set`.
    init(_ row: Row) {
        self.init(
            number: row.integer("number"), label: row.text("label"),
            start: Timestamp.date(milliseconds: row.moment("start_ms")),
            end: Timestamp.date(milliseconds: row.moment("end_ms")), reps: row.integer("reps"),
            form: row.optionalInteger("form"), zone: row.optionalText("zone"),
            confidence: row.optionalNumber("confidence"), repsMargin: row.optionalInteger("reps_margin"),
            leftReps: row.optionalInteger("left_reps"), rightReps: row.optionalInteger("right_reps"))
    }
}
