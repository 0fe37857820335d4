import Actions
import Contract
import Foundation
import GRDB
import Records

/// What one correction takes from the label that was recognised and gives to the right one.
///
/// Readers show sessions with all their moves, and the writer adds the moves to the totals of the days. So both agree.
package struct SetMove: Equatable {
    /// The set as it was recognised.
    let set: SessionSet
    /// What it really was.
    let correction: SetCorrection
    /// The frames that change their label; 0 where only the count was wrong.
    package let frames: Int
    /// The same in seconds.
    package let seconds: Double

    /// Frame rates below this are no frame rates, and move nothing.
    private static let lowestRate = 0.001

    /// The moves of a session.
    ///
    /// A set moves as many frames as fit into its time, at most what was recognised of its label. What several sets
    /// move of one label is not more than all of it. Where all sets of a label get another one, the last of them moves
    /// the rest, too, unless it is more than a breather for each: windows at the edges of a set show its label as well.
    package static func list(
        _ sets: [SessionSet], _ corrections: [Int: SetCorrection], actions: [SessionBody.Action],
        framesPerSecond: Double
    ) -> [SetMove] {
        guard !corrections.isEmpty else { return [] }
        var left = Dictionary(actions.map { ($0.label, $0.frames) }, uniquingKeysWith: { first, _ in first })
        return sets.compactMap { set in
            guard let correction = corrections[set.number], !correction.isAs(set) else { return nil }
            guard correction.label != set.label, framesPerSecond >= lowestRate else {
                return SetMove(set: set, correction: correction, frames: 0, seconds: 0)
            }
            let most = max(0, left[set.label] ?? 0)
            let fitting = max(0, set.end.timeIntervalSince(set.start)) * framesPerSecond
            let frames = Int(min(fitting.rounded(), Double(most)))
            left[set.label] = most - frames
            return SetMove(
                set: set, correction: correction, frames: frames, seconds: Double(frames) / framesPerSecond)
        }.withRests(left, sets, framesPerSecond: framesPerSecond)
    }

    /// Takes back the moves that no longer apply, and adds the new ones, each on the day on which its set began.
    ///
    /// - Returns: the days whose totals changed.
    static func credit(
        _ before: [SetMove], _ after: [SetMove], camera: String, day: (Date) -> String, in db: Database
    ) throws -> Set<DayCamera> {
        var changed: Set<DayCamera> = []
        for (moves, others, sign) in [(before, after, -1), (after, before, 1)] {
            for move in moves where !others.contains(move) {
                let day = DayCamera(day: day(move.set.start), camera: camera)
                try move.credit(sign, on: day, in: db)
                changed.insert(day)
            }
        }
        return changed
    }

    /// The same move with more frames.
    fileprivate func adding(_ rest: Int, framesPerSecond: Double) -> SetMove {
        let sum = [frames, rest].clampedSum
        return SetMove(set: set, correction: correction, frames: sum, seconds: Double(sum) / framesPerSecond)
    }

    /// The totals of a session after its moves. A right label that is not there yet is appended; a label that a move
    /// leaves with nothing is left out. Moved frames have no confidence: nobody measured how sure the right label is.
    package static func apply(_ moves: [SetMove], to recognised: [SessionBody.Action]) -> [SessionBody.Action] {
        guard !moves.isEmpty else { return recognised }
        var actions = recognised
        for move in moves {
            if let place = actions.firstIndex(where: { $0.label == move.set.label }) { actions[place].lose(move) }
            guard let label = move.correction.countedLabel else { continue }
            let place = actions.firstIndex { $0.label == label } ?? actions.endIndex
            if place == actions.endIndex {
                actions.append(
                    SessionBody.Action(label: label, frames: 0, seconds: 0, reps: nil, meanConfidence: nil))
            }
            actions[place].gain(move)
        }
        for place in actions.indices {
            let label = actions[place].label
            let moved = moves.filter { $0.set.label == label }.map(\.frames).clampedSum
            let own = recognised.first { $0.label == label }?.frames ?? 0
            if moved > 0, moved >= own { actions[place].meanConfidence = nil }
        }
        let touched = Set(moves.flatMap { [$0.set.label, $0.correction.label] })
        return actions.filter { !touched.contains($0.label) || $0.frames > 0 || ($0.reps ?? 0) > 0 }
    }

    /// Adds the move to the totals of a day, or takes it back.
    ///
    /// - Parameter sign: 1 to add it, -1 to take it back.
    func credit(_ sign: Int, on day: DayCamera, in db: Database) throws {
        let right = correction.countedLabel
        if frames > 0 {
            let (frames, seconds) = (sign * self.frames, Double(sign) * self.seconds)
            try DayRows.credit(frames: -frames, seconds: -seconds, label: set.label, on: day, in: db)
            if let right { try DayRows.credit(frames: frames, seconds: seconds, label: right, on: day, in: db) }
        }
        var corrected: SessionSet? = right == nil ? nil : set
        corrected?.reps = correction.reps
        let (old, new) = sign > 0 ? (set, corrected) : (corrected, set)
        _ = try DayRows.moveZoneUse(from: old, to: new, on: day, in: db)
        try DayRows.addReps(-sign * set.reps, label: set.label, on: day, in: db)
        guard let right, correction.reps > 0 else { return }
        try DayRows.addReps(sign * correction.reps, label: right, on: day, in: db)
    }
}

extension SessionBody.Action {
    fileprivate mutating func lose(_ move: SetMove) {
        frames = max(0, frames - move.frames)
        seconds = frames == 0 ? 0 : max(0, seconds - move.seconds).rounded(decimals: 3)
        if let reps { self.reps = max(0, reps - move.set.reps) }
    }

    fileprivate mutating func gain(_ move: SetMove) {
        frames = [frames, move.frames].clampedSum
        seconds = (seconds + move.seconds).rounded(decimals: 3)
        if reps != nil || move.correction.reps > 0 { reps = [reps ?? 0, move.correction.reps].clampedSum }
    }
}

extension [SetMove] {
    /// The moves, of which the last of each label that no set has any more takes what is left of it.
    fileprivate func withRests(_ left: [String: Int], _ sets: [SessionSet], framesPerSecond: Double) -> [SetMove] {
        guard framesPerSecond.isFinite, framesPerSecond > 0 else { return self }
        var moves = self
        for label in Set(map(\.set.label)) {
            let own = moves.indices.filter { moves[$0].set.label == label && moves[$0].correction.label != label }
            let sets = sets.count { $0.label == label }
            guard let last = own.last, own.count == sets, let rest = left[label], rest > 0,
                Double(rest) / framesPerSecond <= RecognitionRules.Sets().breatherSeconds * Double(sets)
            else { continue }
            moves[last] = moves[last].adding(rest, framesPerSecond: framesPerSecond)
        }
        return moves
    }
}
