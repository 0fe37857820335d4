import Foundation
import Records

/// What an alert tells: a problem stands, or has ended.
package struct AlertMessage: Sendable, Equatable, Codable {
    /// What happened.
    package enum State: String, Sendable, Codable {
        /// The problem has stood as long as the configuration says.
        case began
        /// The problem is over.
        case ended
        /// Somebody tries the alert.
        case test
    }

    /// What happened.
    package let state: State
    /// The problem.
    package let topic: AlertTopic
    /// The camera that it concerns; `nil` for the whole node.
    package let camera: String?
    /// When the problem began.
    package let since: Date
    /// When it was over; `nil` while it stands.
    package let until: Date?
    /// The problem in words, with what to do; empty where it has none.
    package let advice: String

    /// A message of these values.
    package init(
        state: State, topic: AlertTopic, camera: String? = nil, since: Date, until: Date? = nil, advice: String = ""
    ) {
        (self.state, self.topic, self.camera) = (state, topic, camera)
        (self.since, self.until, self.advice) = (since, until, advice)
    }

    /// What happened, in a few words.
    package var title: String {
        let what = camera.map { "\(topic.words) (\($0))" } ?? topic.words
        switch state {
        case .began: return what
        case .ended: return "over: \(what)"
        case .test: return "a test of the alert"
        }
    }

    /// What happened, in whole sentences.
    package var text: String {
        let what = camera.map { "\(topic.words), camera \($0)" } ?? topic.words
        let first =
            switch state {
            case .began: "Since \(Timestamp.text(since)): \(what)."
            case .ended:
                "Over since \(Timestamp.text(until ?? since)): \(what). It lasted "
                    + "\(DurationText.of((until ?? since).timeIntervalSince(since)))."
            case .test: "This is a test. Nothing is wrong."
            }
        return advice.isEmpty ? first : first + "\n" + advice
    }
}

/// The problems of which an alert tells.
package enum AlertTopic: String, Sendable, Codable, CaseIterable {
    /// Somebody lies on the floor and does not move. It is told at once.
    case person = "person_down"
    /// A camera delivers no pictures, or the same one for ever.
    case camera = "camera_away"
    /// The history cannot be written, or there is next to no room.
    case disk
    /// There is no connection to the broker.
    case broker
    /// The clock is not synchronised.
    case clock
    /// Recognition has become worse: the model returns nonsense, or a camera was moved or its lens is dirty.
    case model = "model_worse"

    /// Whether it is told at once, however long an alert waits for other problems.
    package var isUrgent: Bool { self == .person }

    /// The problem in words.
    package var words: String {
        switch self {
        case .person: "somebody lies on the floor and does not move"
        case .camera: "a camera delivers no pictures"
        case .disk: "the history has no room or cannot be written"
        case .broker: "there is no connection to the broker"
        case .clock: "the clock is not synchronised"
        case .model: "recognition has become worse"
        }
    }
}
