import Foundation
import GRDB

extension Store {
    /// How many rows were deleted because of their age or for lack of space.
    public struct Pruned: Sendable, Equatable {
        /// Pieces of kept poses, a few seconds each.
        public var poses = 0
        /// Single predictions.
        public var predictions = 0
        /// Records that every receiver has.
        public var delivered = 0
        /// Sessions.
        public var sessions = 0
        /// Workouts.
        public var workouts = 0
        /// Records that some receiver never got. The log declares them as a gap.
        public var undelivered = 0

        /// The sum of all.
        public var total: Int { poses + predictions + delivered + sessions + workouts + undelivered }

        mutating func add(_ other: Pruned) {
            poses += other.poses
            predictions += other.predictions
            delivered += other.delivered
            sessions += other.sessions
            workouts += other.workouts
            undelivered += other.undelivered
        }
    }

    /// One pass of deletion in slices: the remaining steps, and what was deleted so far.
    ///
    /// Old rows are deleted first: kept poses, single predictions, records that every receiver has, sessions and
    /// workouts if they have an age limit, then records that some receiver still lacks. Then, while the file is nearly
    /// full, rows are deleted without regard to age, in the order of ``Step``. Begin a pass every hour. ``TableOwner``
    /// says for each table what keeps it small.
    ///
    /// Only rows dated by a trusted clock are deleted for their age, since others may be newer than they look. A clock
    /// that was never set therefore makes nothing old. Where no poses are to be kept, all of them are deleted.
    public struct Pruning: Sendable {
        /// The steps, in their order.
        enum Step: Sendable, Equatable {
            case poses
            /// Rows after the moment `after` have not been looked at yet.
            case predictions(after: Int64)
            case delivered, sessions, absences, workouts, undelivered, gaps, rollups
            /// The joints of old questions, and old answers.
            case questions, answers
            /// What other rows left: see ``Store/deleteLeftOvers(_:before:)``.
            case leftOvers
            /// Decides whether space must be freed.
            case room
            // What is freed goes from what is missed least to what is missed most. Measurements of workouts take the most
            // room of all that is kept for good, so workouts go before sessions.
            case anyPoses, anyPredictions, anyCommands, anyAbsences, anyDelivered, anyRollups, anyWorkouts(
                trusted: Bool)
            case anySessions(trusted: Bool), anyUndelivered, anyGaps, anyDays, anyQuestions, anyAnswers
        }

        let wall: Date
        let clock: ClockState
        let consumers: [String]
        var steps: [Step]
        /// What was deleted so far.
        public internal(set) var pruned = Pruned()
        /// Whether the pass is complete.
        public var isFinished: Bool { steps.isEmpty }

        /// A new pass.
        ///
        /// - Parameters:
        ///   - wall: the current time.
        ///   - clock: whether that time is trusted; if not, nothing is deleted for its age.
        ///   - consumers: the receivers whose cursors protect records.
        public init(wall: Date, clock: ClockState = .now(), consumers: [String] = [RecordLog.broker]) {
            (self.wall, self.clock, self.consumers) = (wall, clock, consumers)
            steps =
                clock == .synced
                ? [
                    .predictions(after: .min), .delivered, .sessions, .absences, .workouts, .undelivered, .gaps,
                    .rollups, .questions, .answers,
                ] : []
            steps = [.poses] + steps + [.leftOvers, .room]
        }
    }

    /// Deletes the next rows of a pass, at most 1000 in one transaction. Other writes can happen between two slices. A
    /// pass can be abandoned at any time.
    ///
    /// - Returns: what this slice deleted.
    /// - Throws: ``HistoryError``; this slice then deleted nothing.
    @discardableResult
    public func pruneSlice(_ pruning: inout Pruning) throws -> Pruned {
        guard let step = pruning.steps.first else { return Pruned() }
        var pruned = Pruned()
        let (count, next) = try prune(step, of: pruning)
        switch step {
        case .poses, .anyPoses: pruned.poses = count
        case .predictions, .anyPredictions: pruned.predictions = count
        case .delivered, .anyDelivered: pruned.delivered = count
        case .sessions, .anySessions: pruned.sessions = count
        case .undelivered, .anyUndelivered: pruned.undelivered = count
        case .workouts, .anyWorkouts: pruned.workouts = count
        case .absences, .gaps, .rollups, .leftOvers, .room, .anyCommands, .anyAbsences, .anyRollups, .anyGaps, .anyDays,
            .questions, .answers, .anyQuestions, .anyAnswers:
            break
        }
        pruning.steps.replaceSubrange(0...0, with: next)
        pruning.pruned.add(pruned)
        return pruned
    }

    /// Runs a complete pass; for command lines and tests.
    ///
    /// - Returns: what was deleted.
    /// - Throws: ``HistoryError``; slices completed before stay deleted.
    @discardableResult
    public func prune(
        wall: Date, clock: ClockState = .now(), consumers: [String] = [RecordLog.broker]
    ) throws -> Pruned {
        var pruning = Pruning(wall: wall, clock: clock, consumers: consumers)
        while !pruning.isFinished { try pruneSlice(&pruning) }
        return pruning.pruned
    }
}
