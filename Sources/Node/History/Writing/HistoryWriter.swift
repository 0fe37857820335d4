import Actions
import Foundation
import Records
import Synchronization
import Workouts

/// Collects what the camera pipelines recognise and writes it in batches: at most one commit per
/// ``HistorySettings/commitInterval`` while people are seen, and much fewer while nobody is.
///
/// What was made up is stored in a made-up history alone; of what is recognised, nothing is stored there.
///
/// Every call but ``commitIfDue(now:wall:)`` and ``flush(now:wall:)`` only touches memory, so a slow disk never blocks
/// the pipelines. Use one writer per store.
public final class HistoryWriter: Sendable {
    private let store: Store
    private let model: ModelStamp
    /// Whether nothing is stored.
    private let discards: Bool
    private let state: Mutex<State>
    private let clock: @Sendable () -> ClockReading

    /// Creates the writer of a store.
    ///
    /// - Parameters:
    ///   - makesUp: whether what is written was made up. Otherwise nothing is stored in a made-up history.
    ///   - clock: reads the state of the machine's clock; called at each commit.
    /// - Throws: ``HistoryError`` when the number of the last batch cannot be read, or something made up is to be added to
    ///   what was seen.
    public init(
        store: Store, model: ModelStamp, makesUp: Bool = false,
        clock: @escaping @Sendable () -> ClockReading = { .now() }
    ) throws {
        if makesUp, !store.isMadeUp { throw HistoryError.notMadeUp(path: store.path) }
        discards = store.isMadeUp && !makesUp
        self.clock = clock
        self.store = store
        self.model = model
        let last = Int64(try Meta(pool: store.pool).value(.batch) ?? "") ?? 0
        let reading = clock()
        let waiting = reading.state == .unsynced ? try store.unsynced(boot: reading.boot) : nil
        state = Mutex(
            State(
                calendar: DayCalendar(timeZone: store.settings.timeZone), serial: last,
                runClock: RunClock(unsyncedBase: waiting?.base)))
    }

    /// Credits a prediction to its camera's day: as frames and seconds of its label, or as excluded frames.
    ///
    /// - Parameter wall: when the window ended.
    public func credit(_ prediction: Prediction, camera: String, wall: Date, now: ContinuousClock.Instant) {
        state.withLock { state in
            let day = state.calendar.day(of: wall)
            state.open.credit(
                prediction, camera: camera, wall: wall, day: day, framesPerSecond: model.framesPerSecond)
            state.markDirty(now)
        }
    }

    /// Counts frames that never became part of a prediction, for example those dropped by a busy machine (`dropped`).
    public func exclude(frames: Int, reason: String, camera: String, wall: Date, now: ContinuousClock.Instant) {
        guard frames > 0 else { return }
        state.withLock { state in
            state.open.exclude(frames: frames, reason: reason, camera: camera, day: state.calendar.day(of: wall))
            state.markDirty(now)
        }
    }

    /// Queues the newest state of a session for the next commit. Its totals are cumulative, so queueing it twice changes
    /// nothing.
    public func enqueue(_ session: Session, now: ContinuousClock.Instant) {
        state.withLock { state in
            state.open.add(session)
            state.markDirty(now)
        }
    }

    /// Queues an event of a session for the next commit. Its beginning, its end and the end of a set appear in ``Commit/events`` once they
    /// are on disk.
    ///
    /// - Returns: the number of the batch that contains it; see ``committedBatch``.
    @discardableResult
    public func enqueue(_ event: SessionEvent, now: ContinuousClock.Instant) -> Int64 {
        state.withLock { state in
            state.open.add(event)
            state.markDirty(now)
            return state.serial + 1
        }
    }

    /// Queues that a track is a person who was here before: what is stored of it since then is theirs.
    ///
    /// - Parameters:
    ///   - camera: the camera of both.
    ///   - since: when the track began.
    public func link(_ link: PersonLink, camera: String, since: Date, now: ContinuousClock.Instant) {
        state.withLock { state in
            state.open.link(
                LinkedTrack(
                    camera: camera, from: link.from, to: link.to, sinceMilliseconds: Timestamp.milliseconds(since)))
            state.markDirty(now)
        }
    }

    /// Queues the newest state of a workout for the next commit, which comes within a second, and what happened in it.
    /// The events appear in ``Commit/workoutEvents`` once they are on disk.
    public func enqueue(_ workout: Workout, events: [WorkoutEvent], now: ContinuousClock.Instant) {
        state.withLock { state in
            state.open.add(workout, events)
            state.markDirty(now)
        }
    }

    /// Queues that a camera ceased to deliver pictures, or delivers them again, for the next commit.
    public func enqueue(_ change: CameraPresence, now: ContinuousClock.Instant) {
        state.withLock { state in
            state.open.add(change)
            state.markDirty(now)
        }
    }

    /// Queues how many people a camera saw in a part of a quarter of an hour.
    package func add(_ sum: OccupancySum, to slot: OccupancySlot, now: ContinuousClock.Instant) {
        state.withLock { state in
            state.open.add(sum, to: slot)
            state.markDirty(now)
        }
    }

    /// Queues poses of a session for the next commit. Queue the session's beginning first.
    package func keep(_ poses: KeptPoses, now: ContinuousClock.Instant) {
        state.withLock { state in
            state.open.keep(poses)
            state.markDirty(now)
        }
    }

    /// Queues a question for the next commit. Queue the end of its session's set first.
    ///
    /// - Parameter quota: the most chosen questions of this kind and week.
    package func ask(_ question: Question, quota: Int, now: ContinuousClock.Instant) {
        state.withLock { state in
            state.open.add(question, quota: quota)
            state.markDirty(now)
        }
    }

    /// Queues that something was seen about which the node may ask.
    package func saw(_ pool: QuestionPool, now: ContinuousClock.Instant) {
        state.withLock { state in
            state.open.add(pool)
            state.markDirty(now)
        }
    }

    /// How many pieces of poses, about ten seconds each, were dropped since the last call.
    package func takeDroppedPoses() -> Int {
        state.withLock { state in
            defer { state.droppedPoses = 0 }
            return state.droppedPoses
        }
    }

    /// The number of the newest batch on disk. Everything in it and in earlier batches is stored.
    public var committedBatch: Int64 { state.withLock { $0.frozen == nil ? $0.serial : $0.serial - 1 } }

    /// Commits if a commit is due: a session began or ended, changes waited ``HistorySettings/commitInterval``, or frames
    /// without people waited ``HistorySettings/idleCommitInterval``. No commit happens sooner than
    /// ``HistorySettings/commitInterval`` after the last one, or a second while a workout changes. Call this a few times a second, from one task.
    ///
    /// - Returns: what is now on disk; `nil` when no commit was due.
    /// - Throws: ``HistoryError/storage(_:path:reason:)``. The data stays in memory, and later calls try again.
    public func commitIfDue(now: ContinuousClock.Instant, wall: Date) throws -> Commit? {
        let isDue = state.withLock { $0.isDue(now, wall: wall, settings: store.settings) }
        return isDue ? try commit(now: now, wall: wall) : nil
    }

    /// Commits everything now, as at the end of a run.
    ///
    /// - Returns: what is now on disk; `nil` when there was nothing to write.
    /// - Throws: ``HistoryError/storage(_:path:reason:)``. The data stays in memory.
    public func flush(now: ContinuousClock.Instant, wall: Date) throws -> Commit? {
        state.withLock { state in
            state.open.rollupsToRecord = .all
            state.open.hasRollupsToRecord = !state.rollupEnds.isEmpty
        }
        return try commit(now: now, wall: wall)
    }

    /// The number of the newest batch that holds a workout and is not on disk; 0 when there is none.
    package var waitingWorkoutBatch: Int64 {
        state.withLock { state in
            if state.open.hasWorkouts { return state.serial + 1 }
            return state.frozen?.batch.hasWorkouts == true ? state.serial : 0
        }
    }

    /// Whether anything waits in memory.
    public var hasPending: Bool { state.withLock { $0.frozen != nil || !$0.open.isEmpty } }

    private func commit(now: ContinuousClock.Instant, wall: Date) throws -> Commit? {
        var result: Commit?
        while let (batch, serial) = state.withLock({ $0.freeze(now, wall: wall) }) {
            do {
                let commit = try apply(batch, serial: serial, now: now, wall: wall)
                state.withLock { $0.committed(now, droppedPoses: commit?.droppedPoses ?? 0) }
                if let commit { result = result?.joined(with: commit) ?? commit }
            } catch {
                state.withLock { $0.failed(now) }
                throw error
            }
        }
        return result
    }

    /// Writes one batch and its number in one transaction. If a commit is reported as failed but is on disk, the next
    /// attempt finds the number and does nothing.
    private func apply(
        _ batch: Batch, serial: Int64, now: ContinuousClock.Instant, wall: Date
    ) throws -> Commit? {
        if discards { return nil }
        let kernel = clock()
        let (calendar, dated) = state.withLock { state in
            let milliseconds = Timestamp.milliseconds(wall)
            return (state.calendar, state.runClock.reading(kernel, wallMilliseconds: milliseconds, now: now))
        }
        let context = Batch.Context(
            model: model,
            day: {
                var calendar = calendar
                return calendar.day(of: $0)
            },
            clock: dated.clock, wallMilliseconds: dated.wallMilliseconds, shares: store.settings.shares)
        return try store.write { db in
            guard Int64(try Meta.value(.batch, in: db) ?? "") ?? 0 < serial else { return nil }
            try Meta.set(.batch, String(serial), in: db)
            try Meta.set(.committed, String(context.wallMilliseconds), in: db)
            return try batch.apply(context, in: db)
        }
    }
}

extension HistoryWriter {
    /// The writer's memory. `frozen` is the batch being committed, or whose commit failed; new data goes to `open`
    /// meanwhile.
    private struct State {
        var calendar: DayCalendar
        var open = Batch()
        var frozen: (batch: Batch, serial: Int64)?
        var serial: Int64
        var firstNews: ContinuousClock.Instant?
        var firstChange: ContinuousClock.Instant?
        var retry: ContinuousClock.Instant?
        var failures = 0
        var isCommitting = false
        var lastCommit: ContinuousClock.Instant?
        var runClock: RunClock
        var droppedPoses = 0
        /// When the rollups that are not recorded yet end, milliseconds since 1970.
        var rollupEnds: Set<Int64> = []

        init(calendar: DayCalendar, serial: Int64, runClock: RunClock) {
            self.calendar = calendar
            self.serial = serial
            self.runClock = runClock
        }

        mutating func markDirty(_ now: ContinuousClock.Instant) {
            if firstChange == nil { firstChange = now }
            if firstNews == nil, open.hasNews { firstNews = now }
        }

        func isDue(_ now: ContinuousClock.Instant, wall: Date, settings: HistorySettings) -> Bool {
            if isCommitting { return false }
            if let retry { return now >= retry }
            // Urgent commits keep the interval, too: the number of commits wears the SD card.
            let shortest = open.hasWorkouts ? min(.seconds(1), settings.commitInterval) : settings.commitInterval
            if let lastCommit, now - lastCommit < shortest { return false }
            if open.hasWorkouts || open.isUrgent || frozen != nil || isRollupOver(wall) { return true }
            if let firstNews, now - firstNews >= settings.commitInterval { return true }
            return firstChange.map { now - $0 >= settings.idleCommitInterval } ?? false
        }

        private func isRollupOver(_ wall: Date) -> Bool {
            rollupEnds.contains { $0 <= Timestamp.milliseconds(wall) }
        }

        /// The next batch to write and its number; `nil` when nothing is left or a commit is in progress.
        mutating func freeze(_ now: ContinuousClock.Instant, wall: Date) -> (batch: Batch, serial: Int64)? {
            guard !isCommitting else { return nil }
            if frozen == nil {
                open.hasRollupsToRecord = open.hasRollupsToRecord || isRollupOver(wall)
                guard !open.isEmpty else { return nil }
                serial += 1
                let isEnd = open.rollupsToRecord == .all
                rollupEnds.formUnion(open.rollupEnds)
                rollupEnds = rollupEnds.filter { !isEnd && $0 > Timestamp.milliseconds(wall) }
                frozen = (open, serial)
                open = Batch()
                firstNews = nil
                firstChange = nil
            }
            isCommitting = true
            return frozen
        }

        mutating func committed(_ now: ContinuousClock.Instant, droppedPoses: Int) {
            self.droppedPoses += droppedPoses
            frozen = nil
            isCommitting = false
            lastCommit = now
            retry = nil
            failures = 0
        }

        /// Schedules the next attempt after 5, 10, 20, … at most 60 s, because frequent attempts do not help a full
        /// disk.
        mutating func failed(_ now: ContinuousClock.Instant) {
            isCommitting = false
            retry = now + .seconds(min(60, 5 << min(failures, 4)))
            failures += 1
        }
    }
}
