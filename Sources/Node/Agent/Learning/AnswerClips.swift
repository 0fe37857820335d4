import Actions
import Foundation
import History
import Poses
import Records

/// The answers of a node as training clips.
package struct AnswerClips {
    /// A set's joints begin and end so many seconds before and after it.
    private static let marginSeconds = 1.0

    /// The clips. Each is named by its question's number; its group is the day and the camera.
    package private(set) var clips: [LabelledClip] = []
    /// The names of those that were answered after a moment.
    package private(set) var newer: Set<String> = []
    /// The names of those from before their camera was moved.
    package private(set) var outdated: Set<String> = []

    /// Reads all answers whose joints are kept. Answers that say nothing of the exercise are left out.
    ///
    /// - Parameter moment: when the model in use was made; `nil` for none that learned from answers.
    /// - Throws: `HistoryError`.
    package init(_ query: HistoryQuery, newerThan moment: Date? = nil) throws {
        let moves = Dictionary(
            try CameraDrift.found(in: query).filter { $0.kind == .moved }.map { ($0.camera, $0.sinceMilliseconds) },
            uniquingKeysWith: max)
        let calendar = Calendar.gregorian(in: try query.timeZone() ?? .current)
        try query.answers { question, answer, packed in
            guard let label = Self.label(answer), let chunk = PoseChunk(packed: packed),
                let clip = LabelledClip(chunk), let start = Timestamp.date(text: question.start)
            else { return }
            let whole = question.kind == .set ? clip.trimmed(seconds: Self.marginSeconds) : clip
            let name = "question-\(question.id)"
            clips.append(
                whole.with(name: name, label: label, group: "\(calendar.dayText(of: start)) \(question.camera)"))
            let answered = question.answered.flatMap { Timestamp.date(text: $0) } ?? start
            if let moved = moves[question.camera], Timestamp.milliseconds(start) < moved { outdated.insert(name) }
            if let moment, answered > moment { newer.insert(name) }
        }
    }

    /// Clips of other gyms without those of a node itself: its own answers must not be learned where they are held out.
    ///
    /// - Parameter clips: as `spotter learn export` wrote them: the group is the node that did.
    package static func shared(_ clips: [LabelledClip], without node: String) -> [LabelledClip] {
        clips.filter { $0.group != node }
    }

    /// The label that a clip of this answer has; `nil` where it says nothing.
    private static func label(_ answer: Answer) -> String? {
        switch answer {
        case .exercise(let label, _): label
        case .none: "other"
        case .nobody, .twoPeople, .cutOff, .skipped: nil
        }
    }
}
