import Actions
import Foundation

extension Classification {
    /// A set of one person. All times are seconds since the recording's begin, rounded to milliseconds.
    public struct RecordedSet: Codable, Sendable, Equatable {
        /// The person.
        public let track: Int
        /// Counts the person's sets from 1.
        public let number: Int
        /// The exercise.
        public let label: String
        /// The start of the first repetition.
        public let start: Double
        /// The end of the last repetition.
        public let end: Double
        /// The number of repetitions.
        public let reps: Int
        /// Seconds since the end of the set before; `nil` for the first set of a session.
        public let rest: Double?
        /// The score, from 0 to 100; `nil` where too little was seen.
        public let score: Int?
        /// The probability that the set took place as it was recognised, 0…1.
        public let confidence: Double?
        /// The true number of repetitions lies within so many of ``reps``, in about nine recordings of ten; `nil` for a posture.
        public let repsMargin: Int?
        /// Those of ``reps`` in which the left side worked, and the right one; `nil` where no side is known.
        public let leftReps, rightReps: Int?

        enum CodingKeys: String, CodingKey {
            case track, number, label, reps, score, confidence
            case start = "start_s"
            case end = "end_s"
            case rest = "rest_s"
            case repsMargin = "reps_margin"
            case leftReps = "left_reps"
            case rightReps = "right_reps"
        }

        /// The sets of the sessions that ended, in order of time. A session that went on counts as it ended last.
        ///
        /// - Parameters:
        ///   - events: the changes of sessions in a recording.
        ///   - origin: the wall-clock time of the recording's begin.
        public static func all(of events: [SessionEvent], since origin: Date) -> [RecordedSet] {
            var sessions: [String: Session] = [:]
            for event in events {
                if case .ended(let session) = event { sessions[session.id] = session }
                if case .merged(_, let absorbed) = event { sessions[absorbed.id] = nil }
            }
            return sessions.values.flatMap { session in
                session.sets.enumerated().map { index, set in
                    RecordedSet(set, of: session, after: index > 0 ? session.sets[index - 1].end : nil, since: origin)
                }
            }.sorted { ($0.start, $0.track) < ($1.start, $1.track) }
        }

        private init(_ set: SessionSet, of session: Session, after before: Date?, since origin: Date) {
            let seconds = { (date: Date) in Classification.round(date.timeIntervalSince(origin), 3) }
            track = session.track
            number = set.number
            label = set.label
            start = seconds(set.start)
            end = seconds(set.end)
            reps = set.reps
            rest = before.map { Classification.round(max(0, set.start.timeIntervalSince($0)), 3) }
            score = set.form
            confidence = set.confidence
            repsMargin = set.repsMargin
            (leftReps, rightReps) = (set.leftReps, set.rightReps)
        }
    }
}
