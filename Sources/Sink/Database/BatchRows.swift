import Foundation
import Records

/// A batch as rows of the temporary tables that `incoming.sql` makes.
package struct BatchRows {
    private(set) var records = CopyText()
    private(set) var actions = CopyText()
    private(set) var sets = CopyText()
    private(set) var workouts = CopyText()
    private(set) var steps = CopyText()
    private(set) var nodes = CopyText()
    private(set) var rejected = CopyText()

    /// The rows of all messages of a batch.
    package init(_ batch: Batch) {
        for (line, record) in batch.records.enumerated() { add(record, line: Int64(line + 1)) }
        for (line, node) in batch.nodes.values.enumerated() { add(node, line: Int64(line + 1)) }
        for message in batch.rejected {
            rejected.add(Timestamp.text(message.received))
            for text in [message.topic, message.reason, message.payload] { rejected.add(text) }
            rejected.endRow()
        }
    }

    /// The tables that have rows.
    package var tables: [(name: String, rows: CopyText)] {
        let all = [
            ("incoming_record", records), ("incoming_action", actions), ("incoming_set", sets),
            ("incoming_workout", workouts), ("incoming_step", steps), ("incoming_node", nodes),
            ("incoming_rejected", rejected),
        ]
        return all.filter { !$0.1.isEmpty }.map { (name: $0.0, rows: $0.1) }
    }

    private mutating func add(_ record: IncomingRecord, line: Int64) {
        records.add(line)
        for text in [record.site, record.node, record.epoch] { records.add(text) }
        records.add(record.seq)
        records.add(record.type)
        records.add(record.id)
        records.add(record.rev)
        records.add(record.isFinal)
        records.add(record.made.text)
        records.add(record.isSynced)
        records.add(record.body == .tombstone)
        switch record.body {
        case .session(let body):
            place(body.camera, body.start, body.end, body.endReason, body.model, body.fps, body.zone)
            records.add(body.excludedFrames)
            nothing(6)
            for action in body.actions { add(action, line: line) }
            for set in body.sets { add(set, line: line) }
        case .tombstone: nothing(14)
        case .rollup(let body):
            place(body.camera, body.start, body.end, nil, body.model, body.fps, nil)
            nothing(7)
            for action in body.actions { add(action, line: line) }
        case .workout(let body):
            for text in [body.camera, body.start.text, body.end.text, body.endReason] { records.add(text) }
            nothing(10)
            add(body, line: line)
        case .absence(let body):
            for text in [body.camera, body.start.text, body.end?.text] { records.add(text) }
            nothing(10)
            records.add(body.reason)
        case .gap(let body):
            nothing(8)
            records.add(body.epoch)
            records.add(body.fromSeq)
            records.add(body.toSeq)
            records.add(body.reason)
            records.add(body.records)
            nothing(1)
        }
        records.endRow()
    }

    private mutating func place(
        _ camera: String, _ start: Moment, _ end: Moment, _ endReason: String?, _ model: String, _ fps: Double,
        _ zone: String?
    ) {
        for text in [camera, start.text, end.text, endReason, model] { records.add(text) }
        records.add(fps)
        records.add(zone)
    }

    private mutating func nothing(_ columns: Int) {
        for _ in 0..<columns { records.add(String?.none) }
    }

    private mutating func add(_ action: ActionFields, line: Int64) {
        actions.add(line)
        actions.add(action.label)
        actions.add(action.frames)
        actions.add(action.seconds)
        actions.add(action.reps)
        actions.add(action.confidence)
        actions.endRow()
    }

    private mutating func add(_ set: SetFields, line: Int64) {
        sets.add(line)
        sets.add(set.number)
        for text in [set.label, set.start.text, set.end.text] { sets.add(text) }
        sets.add(set.reps)
        sets.add(set.restSeconds)
        sets.add(set.coachingHint)
        sets.add(set.zone)
        sets.add(set.recognisedLabel)
        sets.add(set.recognisedReps)
        sets.endRow()
    }

    private mutating func add(_ workout: WorkoutFields, line: Int64) {
        workouts.add(line)
        for text in [workout.plan, workout.planName, workout.name] { workouts.add(text) }
        workouts.add(workout.challengeSeconds)
        workouts.endRow()
        for (number, step) in workout.steps.enumerated() {
            steps.add(line)
            steps.add(Int64(number + 1))
            steps.add(step.round)
            for text in [step.action, step.side] { steps.add(text) }
            steps.add(step.plannedReps)
            steps.add(step.plannedSeconds)
            steps.add(step.plannedRestSeconds)
            for text in [step.start?.text, step.end?.text] { steps.add(text) }
            steps.add(step.reps)
            steps.add(step.seconds)
            steps.add(step.restBeforeSeconds)
            steps.add(step.coachingHint)
            steps.add(step.isSkipped)
            steps.add(step.isComplete)
            steps.add(step.measured)
            steps.add(step.cues)
            steps.add(step.pain)
            steps.endRow()
        }
    }

    private mutating func add(_ node: IncomingNode, line: Int64) {
        nodes.add(line)
        for text in [node.site, node.node, node.kind.rawValue, Timestamp.text(node.received), node.text] {
            nodes.add(text)
        }
        nodes.endRow()
    }
}
