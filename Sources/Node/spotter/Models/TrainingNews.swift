import CommandLineProgram
import Actions
import ArgumentParser
import Foundation
import Records
import Training

/// How `spotter train` and `spotter teach` tell their progress: to a person, or to a program.
enum ProgressForm: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// Tells how a training goes. For programs each event is one line of JSON on standard output.
struct TrainingNews: Sendable {
    let form: ProgressForm

    /// - Parameters:
    ///   - done: the number of files that have been read.
    ///   - clips: the number of all files.
    func reading(_ done: Int, of clips: Int) {
        tell(Reading(done: done, clips: clips))
    }

    /// Tells what the training does next.
    func stage(_ sentence: String) {
        if form == .text { return Terminal.print(sentence + " …") }
        tell(Stage(stage: sentence))
    }

    func progress(_ progress: TrainingProgress) {
        if form == .text { return Curve.show(progress) }
        tell(
            Step(
                epoch: progress.epoch, epochs: progress.epochs, isEnd: progress.isEndOfEpoch,
                loss: rounded(progress.loss), accuracy: rounded(progress.trainingAccuracy),
                validation: progress.validation.map {
                    Step.Held(accuracy: rounded($0.accuracy), recall: rounded($0.macroRecall), best: $0.isBest)
                },
                secondsLeft: progress.secondsLeft.rounded(decimals: 1)))
    }

    /// Tells a program how much of all work is done.
    ///
    /// - Parameters:
    ///   - share: 0…1.
    ///   - begin: when the work began.
    func share(_ stage: String, _ share: Double, since begin: Date) {
        let seconds = share > 0.02 ? Date().timeIntervalSince(begin) / share * (1 - share) : nil
        tell(Share(stage: stage, share: share.rounded(decimals: 3), secondsLeft: seconds?.rounded(decimals: 1)))
    }

    func rejected(_ clips: [RejectedClip]) {
        if form == .text { return Rejections.print(clips) }
        for clip in clips { tell(Rejected(clip: clip.name, reason: clip.reason)) }
    }

    /// - Parameters:
    ///   - of: `new` for the trained model, `start` for the one that it was trained from.
    ///   - windows: figures on the held-out clips.
    ///   - clips: the verdict on each of them.
    func evaluated(_ of: String, _ model: ModelDescription, _ windows: Evaluation, _ clips: ClipEvaluation) {
        tell(Evaluated(of: of, model: model.name, labels: model.labels, windows: windows, clips: clips.verdicts))
    }

    ///
    /// - Parameter made: how many of the learned clips the program made itself.
    func done(_ output: String, _ model: TrainedModel, made: Int, _ verdict: TrainingVerdict?) {
        let own = max(0, model.trainingClips - made)
        if form == .text {
            let kinds = made == 0 ? "" : " (\(own) of yours, \(made) made by the motion generator)"
            let learned = model.trainingClips.counted("clip")
            Terminal.print("\(output): \(learned) learned\(kinds), \(model.validationClips) held out")
            let held = model.description.heldLabels ?? []
            if !held.isEmpty {
                Terminal.print(
                    "\(held.joined(separator: ", ")): the clips show no common cycle, so it is timed and not counted")
            }
            return
        }
        tell(
            Done(
                output: output, trainingClips: model.trainingClips, ownClips: own,
                validationClips: model.validationClips,
                stopped: model.wasCancelled, heldLabels: model.description.heldLabels, verdict: verdict))
    }

    /// Written at once: the reader shows it live.
    private func tell(_ event: some Encodable) {
        // Fails only for numbers that JSON cannot hold; training ends with an error of its own for those.
        guard form == .json, let line = try? JSONText.encode(event) else { return }
        Output.raw(JSON.escaped(line) + "\n")
        Output.flush()
    }

    private func rounded(_ value: Float) -> Double { Double(value).rounded(decimals: 4) }
}

// MARK: - The events

private struct Reading: Encodable {
    let event = "reading"
    let done, clips: Int
}

private struct Stage: Encodable {
    let event = "stage"
    let stage: String
}

private struct Share: Encodable {
    let event = "share"
    let stage: String
    let share: Double
    let secondsLeft: Double?

    enum CodingKeys: String, CodingKey {
        case event, stage, share
        case secondsLeft = "seconds_left"
    }
}

private struct Step: Encodable {
    struct Held: Encodable {
        let accuracy, recall: Double
        let best: Bool
    }

    let event = "progress"
    let epoch, epochs: Int
    let isEnd: Bool
    let loss, accuracy: Double
    let validation: Held?
    let secondsLeft: Double

    enum CodingKeys: String, CodingKey {
        case event, epoch, epochs, loss, validation
        case isEnd = "end_of_epoch"
        case accuracy = "training_accuracy"
        case secondsLeft = "seconds_left"
    }
}

private struct Rejected: Encodable {
    let event = "rejected"
    let clip, reason: String
}

private struct Evaluated: Encodable {
    let event = "evaluation"
    let of, model: String
    let labels: [String]
    let windows: Evaluation
    let clips: [ClipEvaluation.ClipResult]
}

private struct Done: Encodable {
    let event = "done"
    let output: String
    let trainingClips, ownClips, validationClips: Int
    let stopped: Bool
    /// Labels that are timed and not counted.
    let heldLabels: [String]?
    let verdict: TrainingVerdict?

    enum CodingKeys: String, CodingKey {
        case event, output, stopped, verdict
        case heldLabels = "held_labels"
        case trainingClips = "training_clips"
        case ownClips = "own_clips"
        case validationClips = "validation_clips"
    }
}

/// The learning curve for people: a line after every epoch, and a live line in between.
private enum Curve {
    static func show(_ progress: TrainingProgress) {
        let head =
            "epoch \(progress.epoch)/\(progress.epochs)  loss \(String(format: "%.3f", progress.loss))"
            + "  training \(percent(progress.trainingAccuracy))"
        guard progress.isEndOfEpoch else {
            return Terminal.showLine("\(head)  \(Int(progress.secondsLeft)) s left")
        }
        let held = progress.validation.map {
            "  held out \(percent($0.accuracy)), recall \(percent($0.macroRecall))" + ($0.isBest ? " *" : "")
        }
        Terminal.clearLine()
        Terminal.print(head + (held ?? ""))
    }

    private static func percent(_ share: Float) -> String { String(format: "%.1f %%", share * 100) }
}
