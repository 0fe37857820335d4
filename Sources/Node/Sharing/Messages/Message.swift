import Foundation
import Records
import Words

/// What is sent to a recipient.
package enum Message: Sendable, Equatable {
    /// A finished workout of this node.
    case workout(FinishedWorkout, from: SendingNode)
    /// A problem that stands, or has ended.
    case alert(AlertMessage, from: SendingNode)

    /// A short title.
    package func title(_ words: Words) -> String {
        switch self {
        case .workout(let workout, _): "\(workout.plan): \(workout.person)"
        case .alert(let alert, let node): "\(node.name): \(alert.title(words))"
        }
    }

    /// The message in words, for people.
    package func text(_ words: Words, zone: TimeZone) -> String {
        switch self {
        case .workout(let workout, _):
            WorkoutWords.lines(workout, words).joined(separator: "\n")
        case .alert(let alert, _): alert.text(words, zone: zone)
        }
    }

    /// The message as JSON, for programs.
    package func json(_ words: Words, zone: TimeZone) -> String {
        let text =
            switch self {
            case .workout(let workout, let node): try? JSONText.encode(WorkoutEnvelope(workout, node))
            case .alert(let alert, let node):
                try? JSONText.encode(AlertEnvelope(alert, node, text: alert.text(words, zone: zone)))
            }
        // Only NaN cannot be written, and a stored number is none.
        return text ?? "{}"
    }

    /// Whether somebody should look soon.
    var isUrgent: Bool {
        if case .alert(let alert, _) = self { return alert.state == .began }
        return false
    }
}

/// The node that sends.
package struct SendingNode: Sendable, Equatable, Encodable {
    /// The gym's id.
    package let site: String
    /// The node's id.
    package let node: String
    /// The name shown to people.
    package let name: String

    /// A node of these values.
    package init(site: String, node: String, name: String) { (self.site, self.node, self.name) = (site, node, name) }
}
