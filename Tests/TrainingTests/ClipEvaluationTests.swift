import Actions
import NeuralNet
import Poses
import Testing
import Training

/// A classifier on ToyClips, trained once for all tests of a file.
private let toyModel: TrainedModel = {
    var parameters = TrainingParameters()
    parameters.epochs = 12
    parameters.batchSize = 32
    parameters.widths = [12, 12, 16]
    parameters.windowsPerClip = 4
    do { return try Trainer(parameters).train(clips: ToyClips.all(perLabel: 20, frames: 360)) } catch {
        fatalError("the toy classifier could not be trained: \(error)")
    }
}()

private func toyClassifier(temperature: Float = 1) throws -> ActionClassifier {
    var model = toyModel
    model.description.temperature = temperature
    return try model.classifier()
}

private let strangers = ToyClips.labels.flatMap { label in (700..<708).map { ToyClips.clip($0, label: label) } }

@Suite struct ClipEvaluationTests {
    @Test func `whole clips are answered and counted by label`() throws {
        let clips = try toyClassifier().evaluate(on: strangers).clips
        #expect(clips.verdicts.count == 24 && clips.negatives == 8)
        #expect(clips.exercises.map(\.label) == ["jack", "squat"])
        #expect(clips.macroRecall > 0.9 && clips.falseAnswers < 0.2)
        #expect((0...1).contains(clips.calibrationError) && clips.logLoss > 0)
        #expect(clips.verdicts.allSatisfy { $0.windows > 0 && (0...1).contains($0.confidence) })
    }

    @Test func `a wrong label is a miss, is listed, and raises the loss`() throws {
        let right = try toyClassifier().evaluate(on: strangers).clips
        let swapped = strangers.map { $0.label == "jack" ? $0.with(label: "squat") : $0 }
        let wrong = try toyClassifier().evaluate(on: swapped).clips
        #expect(wrong.macroRecall <= 0.6 && wrong.logLoss > right.logLoss + 0.5)
        #expect(wrong.text.contains("squat → jack"))
        let page = EvaluationReport(
            toyModel.description, windows: try toyClassifier().evaluate(on: swapped).windows, clips: wrong
        ).html
        #expect(page.contains("Worst clips") && page.contains("jack/700") && !page.contains("nan"))
    }

    @Test func `seconds and sets are measured as a node would log them`() throws {
        let clips = ToyClips.labels.flatMap { label in
            (700..<708).map { ToyClips.clip($0, label: label, frames: 360) }
        }
        let log = try toyClassifier().evaluate(on: clips).clips.log
        #expect(log.rightSeconds > 0.8 && log.falseSeconds < 0.2, "\(log)")
        #expect(log.exerciseSeconds > 100 && log.idleSeconds > 50 && log.exerciseClips == 16, "\(log)")
        #expect(log.clipsWithSet >= 12 && log.wrongSets <= 2, "\(log)")
        #expect(try #require(log.falseSetsPerHour) == Double(log.falseSets) / (8 * 12.0 / 3600), "\(log)")
        let swapped = clips.map { $0.label == "jack" ? $0.with(label: "squat") : $0.with(label: "jack") }
        let wrong = try toyClassifier().evaluate(on: swapped).clips.log
        #expect(wrong.rightSeconds < 0.2 && wrong.clipsWithSet <= 2 && wrong.wrongSets >= 12, "\(wrong)")
    }

    @Test func `calibration undoes a wrong temperature`() throws {
        let clips = strangers + (710..<718).map { ToyClips.clip($0, label: "jack") }
        let fit = try toyClassifier(temperature: 4).calibration(on: clips)
        #expect(fit.temperature < 2.5 && fit.errorAfter < fit.errorBefore && fit.clips == 32)
    }

    @Test func `too few clips calibrate nothing`() {
        #expect(throws: TrainingError.tooFewClips(found: 3, needed: 20)) {
            try toyClassifier().calibration(on: Array(strangers.prefix(3)))
        }
    }

    @Test func `a trained model recognises motions that it has never seen as unknown`() throws {
        let limit = try #require(toyModel.description.thresholds.maximumDistance)
        #expect(limit > 0.3 && limit < 20)
        // Noise is not a body's movement.
        var random = RandomSource(seed: 5)
        let noise = (0..<8).map { number -> LabelledClip in
            var clip = strangers[number]
            for index in clip.keypoints.indices where index % 3 < 2 { clip.keypoints[index] = random.uniform() }
            return clip
        }
        let reported = try toyClassifier().evaluate(on: noise).clips.verdicts.map(\.reported)
        #expect(reported.count { ["jack", "squat"].contains($0) } <= 1, "\(reported)")
    }
}

@Suite struct LeakTests {
    @Test func `a person in both training and test clips is refused and named`() {
        let clips = ToyClips.all(perLabel: 4)
        #expect(throws: TrainingError.self) { try Dataset.refuseLeak(from: clips, to: [clips[1]], called: "test") }
        do { try Dataset.refuseLeak(from: clips, to: [clips[1]], called: "test") } catch {
            #expect("\(error)".contains("person 0") && "\(error)".contains("test"))
        }
    }

    @Test func `the very same recording under another name is refused`() {
        let clips = ToyClips.all(perLabel: 2)
        let copy = clips[0].with(name: "copy", group: "somebody else")
        #expect(throws: TrainingError.self) { try Dataset.refuseLeak(from: clips, to: [copy], called: "validation") }
        let stranger = ToyClips.clip(99, label: "jack").with(group: "somebody else")
        #expect(throws: Never.self) { try Dataset.refuseLeak(from: clips, to: [stranger], called: "validation") }
    }
}
