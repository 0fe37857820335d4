import Foundation
import Records
import Words

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
    /// The id of the alarm; `nil` for other problems.
    package let alarm: String?
    /// When the problem began.
    package let since: Date
    /// When it was over; `nil` while it stands.
    package let until: Date?
    /// The problem in words, with what to do; empty where it has none.
    package let advice: String

    /// A message of these values.
    package init(
        state: State, topic: AlertTopic, camera: String? = nil, alarm: String? = nil, since: Date, until: Date? = nil,
        advice: String = ""
    ) {
        (self.state, self.topic, self.camera, self.alarm) = (state, topic, camera, alarm)
        (self.since, self.until, self.advice) = (since, until, advice)
    }

    /// What happened, in a few words.
    package func title(_ words: Words) -> String {
        let problem = words.say(topic.rawValue, in: .messages)
        let what = camera.map { "\(problem) (\($0))" } ?? problem
        switch state {
        case .began: return what
        case .ended: return words.say("over", in: .messages, ["what": what])
        case .test: return words.say("test", in: .messages)
        }
    }

    /// What happened, in whole sentences.
    ///
    /// - Parameter zone: the time zone of the moments in it.
    package func text(_ words: Words, zone: TimeZone) -> String {
        let problem = words.say(topic.rawValue, in: .messages)
        let what =
            camera.map { words.say("of_camera", in: .messages, ["what": problem, "camera": $0]) } ?? problem
        let first =
            switch state {
            case .began: words.say("began", in: .messages, ["time": words.moment(since, in: zone), "what": what])
            case .ended:
                words.say(
                    "ended", in: .messages,
                    [
                        "time": words.moment(until ?? since, in: zone), "what": what,
                        "length": words.duration((until ?? since).timeIntervalSince(since)),
                    ])
            case .test: words.say("test_text", in: .messages)
            }
        return advice.isEmpty ? first : first + "\n" + words.translated(advice)
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
}
