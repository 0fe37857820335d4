import Foundation
import Records

/// What is known of the training that runs or ran last: `GET /api/v1/training`.
package struct TrainingStatus: Codable, Sendable {
    /// How the training stands.
    package enum Phase: String, Codable {
        case idle, running, stopping, done, failed
    }

    /// Figures at the end of one pass over the clips.
    package struct Epoch: Codable, Equatable, Sendable {
        /// Shares of the held-out windows, 0…1.
        package struct Held: Codable, Equatable, Sendable {
            /// Correct answers, and the mean over the labels.
            package var accuracy, recall: Double
            /// Whether this pass is the best so far.
            package var best: Bool
        }

        /// The pass, from 1, and how many there are.
        package var epoch, epochs: Int
        /// Mean loss of the pass.
        package var loss: Double
        /// Share of correct answers on the training windows, 0…1.
        package var accuracy: Double
        /// On the clips held out; `nil` without such clips.
        package var validation: Held?

        enum CodingKeys: String, CodingKey {
            case epoch, epochs, loss, validation
            case accuracy = "training_accuracy"
        }
    }

    /// A clip that cannot be used.
    package struct Rejected: Codable, Equatable, Sendable {
        /// Its name, and why.
        package var clip, reason: String
    }

    /// Whether the model may be used, as `spotter train` judges it.
    package struct Verdict: Codable, Equatable, Sendable {
        /// Whether it may.
        package var isReady: Bool
        /// Why not, what limits the figures, and what to record next, each a sentence.
        package var reasons, warnings, next: [String]

        enum CodingKeys: String, CodingKey {
            case reasons, warnings, next
            case isReady = "is_ready"
        }
    }

    /// Files read so far.
    package struct Reading: Codable, Equatable, Sendable {
        /// Files that have been read, and all.
        package var done, clips: Int
    }

    /// More would make the page slow; training ends long before.
    private static let maximumEpochs = 500, maximumRejected = 100

    /// How the training stands.
    package var state = Phase.idle
    /// The name of the new model.
    package var model: String?
    /// The model that the training started from.
    package var from: String?
    /// Milliseconds since 1970.
    package var started, ended: Int64?
    /// How many clips were read; `nil` before the first.
    package var reading: Reading?
    /// Finished passes, for the curve.
    package var curve: [Epoch] = []
    /// The newest figures, also within a pass.
    package var now: Epoch?
    /// How much of all work is done, 0…1, for a training that films clips again. It has no curve.
    package var share: Double?
    /// Estimated remaining time.
    package var secondsLeft: Double?
    /// Clips that were not learned, the first hundred.
    package var rejected: [Rejected] = []
    /// How many clips were not learned; `nil` before the first.
    package var rejectedFound: Int?
    /// The held-out clips, judged by the new model and by the one before it.
    package var evaluations: [JSONValue] = []
    /// Clips learned, those of them that people recorded, and clips held out; `nil` before the end.
    package var trainingClips, ownClips, validationClips: Int?
    /// Whether the model may be used, why not, and what to record next: the command line's verdict.
    package var verdict: Verdict?
    /// Why there is no model, or what else to say.
    package var message: String?

    enum CodingKeys: String, CodingKey {
        case state, model, from, started, ended, reading, curve, now, share, rejected, evaluations, message,
            verdict
        case secondsLeft = "seconds_left"
        case trainingClips = "training_clips"
        case ownClips = "own_clips"
        case validationClips = "validation_clips"
        case rejectedFound = "rejected_found"
    }

    /// Takes over what a line of `spotter train --progress json` or `spotter teach --progress json` tells. Unknown lines are ignored: they may come from a
    /// newer version of the program.
    mutating func take(_ line: String) {
        let decoder = JSONDecoder(), data = Data(line.utf8)
        guard let event = try? decoder.decode(Event.self, from: data) else { return }
        switch event.event {
        case "reading": reading = try? decoder.decode(Reading.self, from: data)
        case "progress":
            guard let epoch = try? decoder.decode(Epoch.self, from: data) else { return }
            now = epoch
            secondsLeft = event.secondsLeft
            if event.isEnd ?? false, curve.count < Self.maximumEpochs { curve.append(epoch) }
        case "share": (share, secondsLeft) = (event.share, event.secondsLeft)
        case "rejected":
            rejectedFound = (rejectedFound ?? 0) + 1
            guard rejected.count < Self.maximumRejected, let clip = try? decoder.decode(Rejected.self, from: data)
            else { return }
            rejected.append(clip)
        case "evaluation":
            guard evaluations.count < 2, let value = try? decoder.decode(JSONValue.self, from: data) else { return }
            evaluations.append(value)
        case "done":
            (trainingClips, ownClips, validationClips) = (event.trainingClips, event.ownClips, event.validationClips)
            verdict = event.verdict
        default: break
        }
    }

    private struct Event: Decodable {
        var event: String
        var isEnd: Bool?
        var share, secondsLeft: Double?
        var trainingClips, ownClips, validationClips: Int?
        var verdict: Verdict?

        enum CodingKeys: String, CodingKey {
            case event, verdict, share
            case ownClips = "own_clips"
            case isEnd = "end_of_epoch"
            case secondsLeft = "seconds_left"
            case trainingClips = "training_clips"
            case validationClips = "validation_clips"
        }
    }
}
