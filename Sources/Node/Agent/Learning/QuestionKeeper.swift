import Actions
import Foundation
import History
import Poses
import Records

/// Keeps the joints of the sets and excerpts of one camera about which the node asks. It never sees pictures.
///
/// Everybody's last minute waits in memory. Place this sink after ``HistorySink``, so that a set is queued for the disk
/// before its question.
package struct QuestionKeeper: ResultSink {
    /// How long joints are remembered, seconds.
    private static let memorySeconds = 75.0
    /// The longest set of which all joints are kept, seconds. Of a longer one nobody counts the repetitions.
    private static let longestSet = 60.0
    /// What is kept before and after a set, seconds.
    private static let marginSeconds = 1.0
    /// The length of an excerpt, seconds.
    private static let excerptSeconds = 10.0
    /// A set is recognised some seconds after its beginning, so an excerpt is judged this much later, seconds.
    private static let delaySeconds = 20.0
    /// An excerpt in which the person was seen for less is none, as a share of its length.
    private static let minimumShare = 0.6
    /// The least time between two frames, seconds.
    private static let minimumInterval = 0.03
    /// The likely labels of a question.
    private static let likelyLabels = 6

    private struct Person {
        var sightings: [PoseSighting] = []
        var predictions: [Prediction] = []
        /// Where the next excerpt begins, seconds on the source's clock.
        var excerpt: Double
        /// When the person did a workout that has a name or is private last, seconds on the source's clock. A workout may end
        /// before its last set does.
        var lastPrivate = -Double.infinity
        /// The spans of the newest sets by number, seconds on the source's clock.
        var sets: [Int: ClosedRange<Double>] = [:]
    }

    private let camera: String
    private let model: ModelDescription
    private let draw: QuestionDraw
    private let writer: HistoryWriter
    /// Whether a person does a workout that has a name or is private.
    private let isPrivate: (_ track: Int) -> Bool
    private var people: [Int: Person] = [:]
    private var origin = Date(timeIntervalSince1970: 0)
    private var (widthPixels, heightPixels) = (1, 1)

    /// A keeper of one camera's questions.
    package init(
        camera: String, model: ModelDescription, draw: QuestionDraw, writer: HistoryWriter,
        isPrivate: @escaping (_ track: Int) -> Bool
    ) {
        self.camera = camera
        self.model = model
        self.draw = draw
        self.writer = writer
        self.isPrivate = isPrivate
    }

    /// Remembers the joints of a frame, and asks about the sets that ended and the excerpts that passed.
    package mutating func receive(_ result: CameraResult) {
        let frame = result.frameResult.frame
        if result.frameResult.jump?.isBackward == true { people.removeAll() }
        for link in result.frameResult.links { join(link) }
        origin = result.origin
        (widthPixels, heightPixels) = (frame.widthPixels, frame.heightPixels)
        for track in frame.measured { add(PoseSighting(time: frame.time, pose: track.pose), of: track.id) }
        for prediction in result.frameResult.predictions {
            guard let track = prediction.track, !prediction.probabilities.isEmpty else { continue }
            people[track]?.predictions.append(prediction)
            if isPrivate(track) { people[track]?.lastPrivate = frame.time }
        }
        for set in result.frameResult.sets { people[set.track]?.sets[set.number] = set.start...max(set.start, set.end) }
        take(result.frameResult.events, now: result.now)
        for track in people.keys.sorted() { judgeExcerpts(of: track, at: frame.time, now: result.now) }
        forget(before: frame.time - Self.memorySeconds)
    }

    /// Asks about the sets that ended with the source.
    package mutating func close(_ ending: CameraEnding) {
        take(ending.events, now: ending.now)
        people.removeAll()
    }

    /// Goes on with what is remembered of a track under the number that the person had before.
    private mutating func join(_ link: PersonLink) {
        guard var later = people.removeValue(forKey: link.from) else { return }
        later.sets = Dictionary(uniqueKeysWithValues: later.sets.map { ($0.key + link.setOffset, $0.value) })
        if let before = people[link.to] {
            later.sightings = before.sightings + later.sightings
            later.predictions = before.predictions + later.predictions
            later.lastPrivate = max(before.lastPrivate, later.lastPrivate)
            later.sets.merge(before.sets) { newer, _ in newer }
        }
        people[link.to] = later
    }

    private mutating func take(_ events: [SessionEvent], now: ContinuousClock.Instant) {
        for case .setEnded(let set, let session) in events {
            let seconds = set.end.timeIntervalSince(set.start)
            let week = draw.week(of: set.start)
            writer.saw(QuestionPool(kind: .set, week: week, camera: camera, seen: 1, seconds: seconds), now: now)
            let start = set.start.timeIntervalSince(origin)
            let person = people[session.track]
            let span = person?.sets[set.number] ?? start...(start + seconds)
            let isSecret = isPrivate(session.track) || person.map { $0.lastPrivate >= span.lowerBound } ?? true
            let predictions =
                person?.predictions.filter { $0.end > span.lowerBound && $0.start < span.upperBound } ?? []
            guard let drawn = draw.draw(.set, at: set.start, worth: isSecret ? nil : worth(of: set, predictions)),
                let person
            else { continue }
            // Of a long set the end is kept: its beginning is forgotten by now.
            let first = max(span.lowerBound, span.upperBound - Self.longestSet)
            let kept = (first - Self.marginSeconds)...(span.upperBound + Self.marginSeconds)
            let isWhole = first == span.lowerBound && person.sightings.first?.time ?? .infinity <= first
            ask(
                Question(
                    kind: .set, reason: drawn.reason, weight: drawn.weight, week: week, camera: camera,
                    startMilliseconds: Timestamp.milliseconds(set.start),
                    endMilliseconds: Timestamp.milliseconds(set.end), session: session.id, number: set.number,
                    shown: set.label, reps: isWhole && set.repsMargin != nil ? set.reps : nil,
                    likely: likely(predictions, first: set.label), model: model.name, poses: []),
                of: person, in: kept, now: now)
        }
    }

    private mutating func judgeExcerpts(of track: Int, at time: Double, now: ContinuousClock.Instant) {
        while let person = people[track], time - person.excerpt >= Self.excerptSeconds + Self.delaySeconds {
            let span = person.excerpt...(person.excerpt + Self.excerptSeconds)
            people[track]?.excerpt = span.upperBound
            let seen = person.sightings.filter { span.contains($0.time) }
            guard let first = seen.first?.time, let last = seen.last?.time else {
                // The person was away: the next excerpt begins where they are seen again.
                people[track]?.excerpt = person.sightings.first { $0.time > span.upperBound }?.time ?? time
                continue
            }
            let covered = person.sets.values.reduce(0) { $0 + max(0, $1.clamped(to: span).length) }
            guard last - first >= Self.minimumShare * Self.excerptSeconds, covered == 0 else {
                // The person was in view all the same.
                saw(0, seconds: max(0, last - first - covered), at: span.lowerBound, now: now)
                continue
            }
            saw(1, seconds: Self.excerptSeconds, at: span.lowerBound, now: now)
            let isSecret = isPrivate(track) || person.lastPrivate >= span.lowerBound
            judge(span, of: person, isSecret: isSecret, now: now)
        }
    }

    /// Counts excerpts, and the time in which a person is in view without a set.
    private func saw(_ count: Int, seconds: Double, at time: Double, now: ContinuousClock.Instant) {
        let week = draw.week(of: origin.addingTimeInterval(time))
        writer.saw(QuestionPool(kind: .excerpt, week: week, camera: camera, seen: count, seconds: seconds), now: now)
    }

    private func judge(_ span: ClosedRange<Double>, of person: Person, isSecret: Bool, now: ContinuousClock.Instant) {
        let start = origin.addingTimeInterval(span.lowerBound)
        let predictions = person.predictions.filter { span.contains(($0.start + $0.end) / 2) }
        guard let drawn = draw.draw(.excerpt, at: start, worth: isSecret ? nil : worth(of: predictions)) else { return }
        ask(
            Question(
                kind: .excerpt, reason: drawn.reason, weight: drawn.weight, week: draw.week(of: start), camera: camera,
                startMilliseconds: Timestamp.milliseconds(start),
                endMilliseconds: Timestamp.milliseconds(origin.addingTimeInterval(span.upperBound)),
                likely: likely(predictions, first: nil), model: model.name, poses: []),
            of: person, in: span, now: now)
    }

    /// How much an answer about a set teaches, 0…1.
    private func worth(of set: SessionSet, _ predictions: [Prediction]) -> (reason: Question.Reason, value: Double) {
        let others = predictions.count {
            $0.windowLabel != set.label && model.countedLabels.contains($0.windowLabel)
        }
        let candidates: [(reason: Question.Reason, value: Double)] = [
            (.unsure, 1 - abs((set.confidence ?? 1) - 0.7) / 0.3),
            (.changedLabel, 2 * Double(others) / Double(max(predictions.count, 1))),
            (.unsureCount, set.repsMargin.map { $0 < 3 ? 0 : 0.2 + 0.1 * Double($0) } ?? 0),
        ]
        return candidates.max { $0.value < $1.value }.map { ($0.reason, min($0.value, 1)) } ?? (.unsure, 0)
    }

    /// How much an answer about an excerpt without a set teaches, 0…1.
    private func worth(of predictions: [Prediction]) -> (reason: Question.Reason, value: Double) {
        guard !predictions.isEmpty else { return (.unsure, 0) }
        let count = Double(predictions.count)
        let belief = labels(predictions).first { model.countedLabels.contains($0.label) }?.share ?? 0
        let strange = Double(predictions.count { $0.rejection == .unknownMotion }) / count
        let (unsure, unknown) = (1 - abs(belief - 0.5) / 0.25, 0.6 * strange)
        return unsure >= unknown ? (.unsure, unsure) : (.unknownMotion, unknown)
    }

    /// The labels by their mean probability, the highest first.
    private func labels(_ predictions: [Prediction]) -> [(label: String, share: Double)] {
        let sums = predictions.reduce(into: [Double](repeating: 0, count: model.labels.count)) { sums, prediction in
            for (index, value) in prediction.probabilities.prefix(sums.count).enumerated() {
                sums[index] += Double(value)
            }
        }
        return zip(model.labels, sums.map { $0 / Double(max(predictions.count, 1)) })
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { ($0.0, $0.1) }
    }

    private func likely(_ predictions: [Prediction], first: String?) -> [String] {
        let names = labels(predictions).map(\.label).filter { $0 != first && model.countedLabels.contains($0) }
        return Array(([first].compactMap(\.self) + names).prefix(Self.likelyLabels))
    }

    private func ask(
        _ question: Question, of person: Person, in span: ClosedRange<Double>, now: ContinuousClock.Instant
    ) {
        let kept = person.sightings.filter { span.contains($0.time) }
        guard let chunk = PoseChunk(kept, widthPixels: widthPixels, heightPixels: heightPixels) else { return }
        var question = question
        question.poses = chunk.packed
        writer.ask(question, quota: draw.quota.chosen[question.kind] ?? 0, now: now)
    }

    private mutating func add(_ sighting: PoseSighting, of track: Int) {
        guard sighting.time - (people[track]?.sightings.last?.time ?? -.infinity) >= Self.minimumInterval else {
            return
        }
        people[track, default: Person(excerpt: sighting.time)].sightings.append(sighting)
    }

    private mutating func forget(before time: Double) {
        for (track, person) in people {
            if person.sightings.last?.time ?? -.infinity < time {
                people[track] = nil
            } else if let first = person.sightings.first, first.time < time - 5 {
                people[track]?.sightings.removeAll { $0.time < time }
                people[track]?.predictions.removeAll { $0.end < time }
                people[track]?.sets = person.sets.filter { $0.value.upperBound >= time }
            }
        }
    }
}

extension ClosedRange<Double> {
    fileprivate var length: Double { upperBound - lowerBound }
}
