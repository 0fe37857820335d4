import Foundation
import GRDB

extension Store {
    /// What went because it was too old or because there was no room.
    public struct Pruned: Sendable, Equatable {
        public var predictions = 0
        public var delivered = 0
        public var sessions = 0
        /// Records that some receiver never got; the log now declares them as a gap.
        public var undelivered = 0

        public var total: Int { predictions + delivered + sessions + undelivered }

        mutating func add(_ other: Pruned) {
            predictions += other.predictions
            delivered += other.delivered
            sessions += other.sessions
            undelivered += other.undelivered
        }
    }

    /// One pass of deleting, slice by slice: how far it came, and what went so far.
    ///
    /// What is too old goes first: single predictions, records that every receiver has, sessions where they have a
    /// limit, then records that some receiver still waits for. Then, while the file is nearly full, the same without
    /// regard to age. Day totals stay. To be begun hourly.
    ///
    /// Each row goes by its own age, and only where a trusted clock dated it: what looks old otherwise may be new. So
    /// does a clock that was never set make nothing old.
    public struct Pruning: Sendable {
        /// What is to be deleted, in this order.
        enum Step: Sendable, Equatable {
            /// `after` and later rows were not looked at yet.
            case predictions(after: Int64)
            case delivered, sessions, undelivered, rollups
            /// Decides whether there is room enough.
            case room
            case anyPredictions, anyDelivered, anySessions(trusted: Bool), anyUndelivered
        }

        let wall: Date
        let clock: ClockState
        let consumers: [String]
        var steps: [Step]
        /// What went so far.
        public internal(set) var pruned = Pruned()
        public var isFinished: Bool { steps.isEmpty }

        /// - Parameter consumers: the receivers whose cursors hold records back.
        public init(wall: Date, clock: ClockState = .now(), consumers: [String] = [RecordLog.broker]) {
            (self.wall, self.clock, self.consumers) = (wall, clock, consumers)
            steps = clock == .synced ? [.predictions(after: .min), .delivered, .sessions, .undelivered, .rollups] : []
            steps.append(.room)
        }
    }

    /// Deletes the next rows of a pass, at most 1000 in one transaction, and returns what went. Other writers may write
    /// between two slices; a pass that is given up leaves nothing half done.
    ///
    /// - Throws: ``HistoryError``; nothing was then deleted by this slice.
    @discardableResult
    public func pruneSlice(_ pruning: inout Pruning) throws -> Pruned {
        guard let step = pruning.steps.first else { return Pruned() }
        var pruned = Pruned()
        let (count, next) = try prune(step, of: pruning)
        switch step {
        case .predictions, .anyPredictions: pruned.predictions = count
        case .delivered, .anyDelivered: pruned.delivered = count
        case .sessions, .anySessions: pruned.sessions = count
        case .undelivered, .anyUndelivered: pruned.undelivered = count
        case .rollups, .room: break
        }
        pruning.steps.replaceSubrange(0...0, with: next)
        pruning.pruned.add(pruned)
        return pruned
    }

    /// A whole pass at once; for command lines and tests.
    @discardableResult
    public func prune(
        wall: Date, clock: ClockState = .now(), consumers: [String] = [RecordLog.broker]
    ) throws -> Pruned {
        var pruning = Pruning(wall: wall, clock: clock, consumers: consumers)
        while !pruning.isFinished { try pruneSlice(&pruning) }
        return pruning.pruned
    }
}
