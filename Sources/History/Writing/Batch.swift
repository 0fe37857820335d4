import Actions
import Foundation
import GRDB

/// What happened since the last commit, in memory: sums for the days, rows for the predictions, the newest state of
/// every session. Feeding it costs no disk access; applying it is one transaction.
struct Batch: Sendable {
    /// Most prediction rows kept while the disk takes none, about an hour of three people. Sums have no such limit.
    static let maximumRows = 40_000

    /// Most events kept while the disk takes none; older ones are of no use to anybody who waits for them.
    static let maximumEvents = 1000

    private(set) var rows: [PredictionRow] = []
    private(set) var droppedRows = 0
    private var counted: [DayLabel: FrameSum] = [:]
    private var excluded: [DayLabel: Int] = [:]
    private var rollups: [RollupSlot: [String: FrameSum]] = [:]
    private var sessions: [Session] = []
    private var sessionPlace: [String: Int] = [:]
    private var events: [SessionEvent] = []
    /// Whether a session began or ended: it is announced only when it is on disk, so the commit should not wait.
    private(set) var isUrgent = false
    /// Which rollups are to be recorded with this batch: those that are over, or at the end of a run all.
    var rollupsToRecord = RollupRows.Choice.finished
    /// Whether earlier batches left rollups to record, so that there is something to write although nothing happened.
    var hasRollupsToRecord = false

    /// Whether somebody was there; what happened while nobody was waits for company.
    var hasNews: Bool { !rows.isEmpty || droppedRows > 0 || !counted.isEmpty || !sessions.isEmpty }
    var isEmpty: Bool { !hasNews && excluded.isEmpty && !hasRollupsToRecord }
    /// When the rollups end that this batch adds to, milliseconds since 1970.
    var rollupEnds: Set<Int64> { Set(rollups.keys.map(\.endMilliseconds)) }

    /// Credits the prediction's frames to its label, or to the excluded ones.
    mutating func credit(
        _ prediction: Prediction, camera: String, wall: Date, day: String, framesPerSecond: Double
    ) {
        let place = DayLabel(day: DayCamera(day: day, camera: camera), label: prediction.label)
        if prediction.isModelLabel {
            let seconds = Double(prediction.frames) / framesPerSecond
            counted[place, default: FrameSum()].add(frames: prediction.frames, seconds: seconds)
            let slot = RollupSlot(holding: Timestamp.milliseconds(wall), camera: camera)
            rollups[slot, default: [:]][prediction.label, default: FrameSum()]
                .add(frames: prediction.frames, seconds: seconds)
        } else {
            excluded[place, default: 0] += prediction.frames
        }
        guard let track = prediction.track else { return }
        guard rows.count < Self.maximumRows else {
            droppedRows += 1
            return
        }
        rows.append(
            PredictionRow(
                endMilliseconds: Timestamp.milliseconds(wall), camera: camera, track: track, label: prediction.label,
                confidence: Int((Double(prediction.confidence).rounded(decimals: 3) * 1000).rounded()),
                frames: prediction.frames))
    }

    mutating func exclude(frames: Int, reason: String, camera: String, day: String) {
        excluded[DayLabel(day: DayCamera(day: day, camera: camera), label: reason), default: 0] += frames
    }

    /// Keeps the newest state, and the event itself where others hear of it after the commit.
    mutating func add(_ event: SessionEvent) {
        add(event.session)
        switch event {
        case .updated: return
        case .started, .ended: isUrgent = true
        case .setEnded: break
        }
        if events.count == Self.maximumEvents { events.removeFirst() }
        events.append(event)
    }

    /// Keeps the newest state; an ended session takes no further change.
    mutating func add(_ session: Session) {
        if session.endReason != nil { isUrgent = true }
        guard let place = sessionPlace[session.id] else {
            sessionPlace[session.id] = sessions.count
            sessions.append(session)
            return
        }
        if sessions[place].endReason == nil { sessions[place] = session }
    }

    /// Writes everything inside one transaction.
    func apply(_ context: Context, in db: Database) throws -> Commit {
        let stretch = try ClockStretch.current(context.clock, wallMilliseconds: context.wallMilliseconds, in: db)
        var changed = Set(counted.keys.map(\.day)).union(excluded.keys.map(\.day))
        for (place, sum) in counted {
            try DayRows.credit(frames: sum.frames, seconds: sum.seconds, label: place.label, on: place.day, in: db)
        }
        for (place, frames) in excluded {
            try DayRows.exclude(frames: frames, reason: place.label, on: place.day, in: db)
        }
        var recorded = 0
        let writer = SessionRows(model: context.model)
        for session in sessions {
            let (days, isRecorded) = try writer.write(
                session, day: context.day, clock: context.clock.state, stretch: stretch,
                wallMilliseconds: context.wallMilliseconds, in: db)
            changed.formUnion(days)
            recorded += isRecorded ? 1 : 0
        }
        for (slot, sums) in rollups {
            try RollupRows.add(
                sums, to: slot, model: context.model, stretch: stretch, isTrusted: context.clock.state == .synced,
                in: db)
        }
        recorded += try RollupRows.record(
            rollupsToRecord, wallMilliseconds: context.wallMilliseconds, clock: context.clock.state, in: db)
        for day in changed { try DayRows.revise(day, in: db) }
        try PredictionRow.insert(rows, stretch: stretch, in: db)
        let days = try changed.sorted { ($0.day, $0.camera) < ($1.day, $1.camera) }
            .map { try DayRow(day: $0.day, camera: $0.camera, in: db) }
        return Commit(
            days: days, sessions: sessions, events: events, records: recorded, predictions: rows.count,
            droppedPredictions: droppedRows)
    }

    /// What a batch needs to know of its surroundings.
    struct Context {
        let model: ModelStamp
        let day: (Date) -> String
        /// By which clock the batch was dated.
        let clock: ClockReading
        /// That clock's time now.
        let wallMilliseconds: Int64
    }
}

/// Frames, and the seconds they stand for.
struct FrameSum: Sendable {
    var frames = 0
    var seconds = 0.0

    mutating func add(frames: Int, seconds: Double) {
        self.frames += frames
        self.seconds += seconds
    }
}

private struct DayLabel: Hashable {
    let day: DayCamera
    let label: String
}

/// What one commit put on disk: only now may the world hear of it.
public struct Commit: Sendable, Equatable {
    /// The days that changed, with their totals as they now stand in the database.
    public let days: [DayRow]
    /// The sessions that were written, each in the state that was written.
    public let sessions: [Session]
    /// Sessions that began or ended and sets that ended, in the order they were seen.
    public let events: [SessionEvent]
    /// Entries added to the record log.
    public let records: Int
    public let predictions: Int
    /// Predictions that found no place in memory while the disk took none; their frames were counted all the same.
    public let droppedPredictions: Int

    func joined(with later: Commit) -> Commit {
        let replaced = Set(later.days.map { [$0.day, $0.camera] })
        return Commit(
            days: days.filter { !replaced.contains([$0.day, $0.camera]) } + later.days,
            sessions: sessions + later.sessions, events: events + later.events, records: records + later.records,
            predictions: predictions + later.predictions,
            droppedPredictions: droppedPredictions + later.droppedPredictions)
    }
}
