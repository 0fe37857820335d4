import Foundation

/// A session that goes on or may begin, and what is needed to credit what follows.
struct SessionEntry: Sendable {
    var session: Session
    /// The wall-clock time of the source's time 0 when the session started. It stays fixed, so durations are those
    /// of the source.
    let origin: Date
    var confidenceSums: [String: Double] = [:]
    var exercisePredictions = 0
    var firstExercise: Double
    /// The end of the last prediction of an exercise or the last repetition.
    var lastExercise: Double
    var lastSeen: Double
    var zones = ZoneVisits()
    /// The number of the set that goes on; `nil` for none.
    var openSet: Int?
    /// Whether the session has begun: it has so many predictions of an exercise, or a set.
    func isOpen(_ rules: RecognitionRules.Sessions) -> Bool {
        exercisePredictions >= rules.minimumPredictions || !session.sets.isEmpty
    }
}

extension SessionEntry {
    mutating func renumber(track: Int, by offset: Int) {
        session.track = track
        for index in session.sets.indices { session.sets[index].number += offset }
        openSet = openSet.map { $0 + offset }
    }

    /// Begins no earlier than the session before ended, in seconds on the source's clock.
    mutating func begin(notBefore limit: Double?) {
        guard let limit, firstExercise < limit else { return }
        (firstExercise, session.start) = (limit, origin.addingTimeInterval(limit))
        lastExercise = max(lastExercise, limit)
        session.end = max(session.end, session.start)
    }

    /// Takes over another session of the same person.
    mutating func absorb(_ other: Self, rateHz: Double) {
        session.excludedFrames.merge(other.session.excludedFrames, uniquingKeysWith: +)
        for action in other.session.actions {
            credit(
                action.frames, to: action.label, confidence: other.confidenceSums[action.label, default: 0],
                rateHz: rateHz)
        }
        session.sets += other.session.sets
        session.countRepetitions()
        zones.add(other.zones)
        if other.firstExercise < firstExercise {
            (firstExercise, session.start) = (other.firstExercise, other.session.start)
        }
        exercisePredictions += other.exercisePredictions
        lastSeen = max(lastSeen, other.lastSeen)
        openSet = other.openSet
        lastExercise = max(lastExercise, other.lastExercise)
        session.end = max(session.end, other.session.end)
        session.zone = zones.main(from: firstExercise, to: lastExercise)
    }

    /// The set of another camera's person that is this one: the place of the own set at the same time; `nil` without one.
    func twin(of set: SessionSet) -> Int? {
        session.sets.firstIndex { own in
            let overlap = min(own.end, set.end).timeIntervalSince(max(own.start, set.start))
            let shorter = min(own.end.timeIntervalSince(own.start), set.end.timeIntervalSince(set.start))
            return overlap >= shorter / 2
        }
    }

    /// Takes over what another camera saw better: the count of the same exercise, or the exercise where it is surer.
    ///
    /// - Returns: whether something changed.
    mutating func improve(_ place: Int, with set: SessionSet, isBetter: Bool) -> Bool {
        let own = session.sets[place]
        let takes = own.label == set.label ? isBetter : (set.confidence ?? 0) > (own.confidence ?? 0)
        guard takes else { return false }
        var better = set
        (better.number, better.zone) = (own.number, own.zone)
        (better.start, better.end) = (min(own.start, set.start), max(own.end, set.end))
        session.sets[place] = better
        session.countRepetitions()
        return better != own
    }

    /// Adds a set that only another camera has seen.
    mutating func add(_ set: SessionSet, rateHz: Double) {
        session.sets.append(set)
        session.sets.sort { $0.start < $1.start }
        let frames = Int((set.end.timeIntervalSince(set.start) * rateHz).rounded())
        credit(frames, to: set.label, confidence: (set.confidence ?? 0) * Double(frames), rateHz: rateHz)
        session.countRepetitions()
        let start = set.start.timeIntervalSince(origin)
        if start < firstExercise { (firstExercise, session.start) = (start, set.start) }
        prolong(to: set.end.timeIntervalSince(origin))
    }

    mutating func prolong(to time: Double) {
        lastExercise = max(lastExercise, time)
        session.end = origin.addingTimeInterval(lastExercise)
    }

    /// Adds or replaces a set, and adds up the repetitions anew. The session spans all of its sets.
    ///
    /// - Parameter limit: the end of the person's session before, in seconds on the source's clock; `nil` for none.
    mutating func add(_ set: ExerciseSet, notBefore limit: Double?) -> SessionSet {
        let sessionSet = SessionSet(
            number: set.number, label: set.label, start: origin.addingTimeInterval(set.start),
            end: origin.addingTimeInterval(set.end), reps: set.repetitions.count, form: set.form?.value,
            zone: zones.main(from: set.start, to: set.end), confidence: (set.confidence * 100).rounded() / 100,
            repsMargin: set.margin, leftReps: set.sides?.left, rightReps: set.sides?.right)
        if let index = session.sets.firstIndex(where: { $0.number == set.number }) {
            session.sets[index] = sessionSet
        } else {
            session.sets.append(sessionSet)
        }
        session.countRepetitions()
        openSet = set.isOpen ? set.number : openSet == set.number ? nil : openSet
        let first = max(set.start, limit ?? -.infinity)
        if first < firstExercise { (firstExercise, session.start) = (first, origin.addingTimeInterval(first)) }
        prolong(to: set.end)
        return sessionSet
    }

    mutating func add(_ prediction: Prediction, rateHz: Double) {
        credit(
            prediction.frames, to: prediction.label,
            confidence: Double(prediction.confidence) * Double(prediction.frames), rateHz: rateHz)
    }

    /// Adds frames to a label.
    ///
    /// - Parameter sum: their confidences, added up.
    private mutating func credit(_ frames: Int, to label: String, confidence sum: Double, rateHz: Double) {
        let sum = confidenceSums[label, default: 0] + sum
        confidenceSums[label] = sum
        let known = session.actions.firstIndex { $0.label == label }
        let index = known ?? session.actions.endIndex
        if known == nil { session.actions.append(ActionTotal(label: label, frames: 0, seconds: 0, meanConfidence: 0)) }
        let all = session.actions[index].frames + frames
        session.actions[index].frames = all
        session.actions[index].seconds = Double(all) / rateHz
        // A label may have repetitions and no frames.
        session.actions[index].meanConfidence = all > 0 ? sum / Double(all) : 0
    }
}
