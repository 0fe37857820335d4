import Actions
import Contract
import Foundation
import GRDB
import Records
import Workouts

/// Everything since the last commit, in memory: sums for the days, rows for the predictions, the newest state of every
/// session. Adding to it needs no disk access; applying it is one transaction.
struct Batch: Sendable {
    /// The most prediction rows kept while the disk accepts no writes: about an hour of three people. Sums have no such
    /// limit.
    static let maximumRows = 40_000

    /// The most events kept while the disk accepts no writes. Older ones are dropped, because receivers no longer need
    /// them.
    static let maximumEvents = 1000

    /// The most bytes of poses kept while the disk accepts no writes: about fifty minutes of one person.
    static let maximumPoseBytes = 8 << 20

    private(set) var rows: [PredictionRow] = []
    private(set) var droppedRows = 0
    private var counted: [DayLabel: FrameSum] = [:]
    private var excluded: [DayLabel: Int] = [:]
    private var rollups: [RollupSlot: [String: FrameSum]] = [:]
    private var sessions: [Session] = []
    private var sessionPlace: [String: Int] = [:]
    private var events: [SessionEvent] = []
    private var workouts: [String: Workout] = [:]
    private var workoutEvents: [WorkoutEvent] = []
    private var presence: [CameraPresence] = []
    private var occupancy: [OccupancySlot: OccupancySum] = [:]
    private var poses: [KeptPoses] = []
    private var poseBytes = 0
    private var droppedPoses = 0
    private var questions: [(question: Question, quota: Int)] = []
    private var pools: [[String]: QuestionPool] = [:]
    private var merges: [SessionMerge] = []
    private var links: [LinkedTrack] = []
    /// Whether a session began or ended. That is published only after the commit, so the commit
    /// waits for nothing but the shortest time between two commits.
    private(set) var isUrgent = false
    /// Which rollups to record with this batch: the finished ones, or at the end of a run all.
    var rollupsToRecord = RollupRows.Choice.finished
    /// Whether earlier batches left rollups to record, so that there is something to write even if nothing new
    /// happened.
    var hasRollupsToRecord = false

    /// Whether a person was seen. Frames without people wait for such news.
    var hasNews: Bool {
        !rows.isEmpty || droppedRows > 0 || !counted.isEmpty || !sessions.isEmpty || !poses.isEmpty || hasWorkouts
            || !presence.isEmpty || !questions.isEmpty
    }
    /// Whether a workout changed. Its count must survive a crash, so the commit waits for little.
    var hasWorkouts: Bool { !workouts.isEmpty }
    var isEmpty: Bool {
        !hasNews && excluded.isEmpty && pools.isEmpty && occupancy.isEmpty && !hasRollupsToRecord
    }
    /// When the rollups that this batch adds to end, milliseconds since 1970.
    var rollupEnds: Set<Int64> { Set(rollups.keys.map(\.endMilliseconds)) }

    /// Credits the prediction's frames to its label, or to the excluded frames.
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

    /// Stores the session's newest state, and the event itself if it is published after the commit.
    mutating func add(_ event: SessionEvent) {
        switch event {
        case .updated:
            add(event.session)
            return
        case .started, .ended:
            add(event.session)
            isUrgent = true
        case .setEnded, .split: add(event.session)
        case .merged(let session, let absorbed): merge(absorbed, into: session)
        // The other camera's session absorbs it.
        case .handedOver: return
        }
        if events.count == Self.maximumEvents { events.removeFirst() }
        events.append(event)
    }

    /// Gives what was recognised of a track to the person it turned out to be.
    mutating func link(_ link: LinkedTrack) {
        for index in rows.indices where rows[index].track == link.from && rows[index].camera == link.camera {
            if rows[index].endMilliseconds >= link.sinceMilliseconds { rows[index].track = link.to }
        }
        links.append(link)
    }

    /// Stores that a session became part of another one, which goes on even if it ended.
    private mutating func merge(_ absorbed: AbsorbedSession, into session: Session) {
        if let place = sessionPlace[session.id] {
            sessions[place] = session
        } else {
            add(session)
        }
        merges.append(SessionMerge(kept: session.id, absorbed: absorbed))
        isUrgent = true
        for index in poses.indices where poses[index].session == absorbed.id { poses[index].session = session.id }
        for index in questions.indices where questions[index].question.session == absorbed.id {
            questions[index].question.session = session.id
            questions[index].question.number = questions[index].question.number.map { $0 + absorbed.setOffset }
        }
    }

    /// Stores the session's newest state. A session that ended takes no further change.
    mutating func add(_ session: Session) {
        if session.endReason != nil { isUrgent = true }
        guard let place = sessionPlace[session.id] else {
            sessionPlace[session.id] = sessions.count
            sessions.append(session)
            return
        }
        if sessions[place].endReason == nil { sessions[place] = session }
    }

    /// Stores a workout's newest state, and what happened in it.
    mutating func add(_ workout: Workout, _ events: [WorkoutEvent]) {
        // A frame that was observed while a person stopped the workout must not open it again.
        if workouts[workout.id]?.isOpen != false { workouts[workout.id] = workout }
        workoutEvents += events
        workoutEvents.removeFirst(max(0, workoutEvents.count - Self.maximumEvents))
    }

    /// Stores that a camera ceased to deliver pictures, or delivers them again.
    mutating func add(_ change: CameraPresence) {
        presence.append(change)
        presence.removeFirst(max(0, presence.count - Self.maximumEvents))
    }

    /// Stores how many people a camera saw.
    mutating func add(_ sum: OccupancySum, to slot: OccupancySlot) {
        occupancy[slot, default: OccupancySum()].add(sum)
    }

    /// Stores poses of a session that this batch or an earlier one began.
    mutating func keep(_ new: KeptPoses) {
        guard poseBytes + new.data.count <= Self.maximumPoseBytes else {
            droppedPoses += 1
            return
        }
        poseBytes += new.data.count
        poses.append(new)
    }

    /// Stores a question, at most `quota` chosen ones of its kind and week.
    mutating func add(_ question: Question, quota: Int) {
        guard poseBytes + question.poses.count <= Self.maximumPoseBytes else { return }
        poseBytes += question.poses.count
        questions.append((question, quota))
    }

    /// Stores that something was seen about which the node may ask.
    mutating func add(_ pool: QuestionPool) {
        let place = [pool.week, pool.kind.rawValue, pool.camera]
        pools[place, default: QuestionPool(kind: pool.kind, week: pool.week, camera: pool.camera)].seen += pool.seen
        pools[place]?.seconds += pool.seconds
    }

    /// Writes everything inside the caller's transaction.
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
                session, goesOn: merges.contains { $0.kept == session.id }, day: context.day,
                clock: context.clock.state, stretch: stretch, wallMilliseconds: context.wallMilliseconds, in: db)
            changed.formUnion(days)
            recorded += isRecorded ? 1 : 0
        }
        for merge in merges {
            let (days, isRecorded) = try merge.apply(context, in: db)
            changed.formUnion(days)
            recorded += isRecorded ? 1 : 0
        }
        for workout in workouts.values.sorted(by: { $0.id < $1.id }) {
            let isRecorded = try WorkoutRows.write(
                workout, clock: context.clock.state, stretch: stretch, wallMilliseconds: context.wallMilliseconds,
                in: db)
            recorded += isRecorded ? 1 : 0
            if isRecorded {
                try DeliveryRows.add(workout, context.shares, wallMilliseconds: context.wallMilliseconds, in: db)
            }
        }
        for change in presence {
            recorded += try CameraAbsenceRows.write(
                change, clock: context.clock.state, stretch: stretch, wallMilliseconds: context.wallMilliseconds, in: db
            )
        }
        for (slot, sum) in occupancy {
            try OccupancyRows.add(
                sum, to: slot, stretch: stretch, isTrusted: context.clock.state == .synced, in: db)
        }
        for (slot, sums) in rollups {
            try RollupRows.add(
                sums, to: slot, model: context.model, stretch: stretch, isTrusted: context.clock.state == .synced,
                in: db)
        }
        recorded += try RollupRows.record(
            rollupsToRecord, wallMilliseconds: context.wallMilliseconds, clock: context.clock.state, in: db)
        for day in changed { try DayRows.revise(day, in: db) }
        for link in links { try PredictionRow.rename(link, in: db) }
        try PredictionRow.insert(rows, stretch: stretch, in: db)
        let unfit = try KeptPoses.insert(poses, in: db)
        for pool in pools.values { try QuestionRows.add(pool, in: db) }
        for (question, quota) in questions {
            try QuestionRows.insert(question, quota: quota, stretch: stretch, in: db)
        }
        let days = try changed.sorted { ($0.day, $0.camera) < ($1.day, $1.camera) }
            .map { try DayRow(day: $0.day, camera: $0.camera, in: db) }
        return Commit(
            days: days, sessions: sessions, events: events, workoutEvents: workoutEvents, records: recorded,
            predictions: rows.count, droppedPredictions: droppedRows, droppedPoses: droppedPoses + unfit)
    }

    /// What a batch needs for writing.
    struct Context {
        let model: ModelStamp
        let day: (Date) -> String
        /// The clock by which the batch was dated.
        let clock: ClockReading
        /// The current time of that clock, milliseconds since 1970.
        let wallMilliseconds: Int64
        /// Who gets workouts that end.
        var shares: [ShareRule] = []
    }
}

/// Frames, and the seconds they represent.
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

/// What one commit wrote to disk. It may be published from now on.
public struct Commit: Sendable, Equatable {
    /// The days that changed, with their totals as now stored.
    public let days: [DayRow]
    /// The sessions that were written, in the state that was written.
    public let sessions: [Session]
    /// Beginnings and ends of sessions and ends of sets, in the order they were observed.
    public let events: [SessionEvent]
    /// What happened in workouts, in order.
    public let workoutEvents: [WorkoutEvent]
    /// The number of records added to the log.
    public let records: Int
    /// The number of single predictions.
    public let predictions: Int
    /// Predictions dropped because memory was full while the disk accepted no writes. Their frames are counted all the
    /// same.
    public let droppedPredictions: Int
    /// Pieces of poses, about ten seconds each, dropped because memory or the database was nearly full.
    public let droppedPoses: Int

    func joined(with later: Commit) -> Commit {
        let replaced = Set(later.days.map { [$0.day, $0.camera] })
        return Commit(
            days: days.filter { !replaced.contains([$0.day, $0.camera]) } + later.days,
            sessions: sessions + later.sessions, events: events + later.events,
            workoutEvents: workoutEvents + later.workoutEvents, records: records + later.records,
            predictions: predictions + later.predictions,
            droppedPredictions: droppedPredictions + later.droppedPredictions,
            droppedPoses: droppedPoses + later.droppedPoses)
    }
}
