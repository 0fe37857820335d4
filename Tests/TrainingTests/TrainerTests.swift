import Actions
import Foundation
import NeuralNet
import Testing
import Training

@Suite struct TrainerTests {
    /// A training of about a second.
    private func parameters(epochs: Int = 6) -> TrainingParameters {
        var parameters = TrainingParameters()
        parameters.epochs = epochs
        parameters.widths = [12, 12, 16]
        parameters.batchSize = 32
        parameters.windowsPerClip = 4
        return parameters
    }

    private func bytes(_ model: TrainedModel) throws -> Data {
        try ModelFile.encode(model.description, tensors: model.tensors)
    }

    @Test func `a toy problem is learned, written, read and recognised`() throws {
        let model = try Trainer(parameters(epochs: 12)).train(clips: ToyClips.all(perLabel: 24))
        let evaluation = try #require(model.evaluation)
        #expect(evaluation.macroRecall > 0.95)
        #expect(model.description.labels == ["jack", "none", "squat"])
        #expect(model.description.countedLabels == ["jack", "squat"])

        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).safetensors")
        defer { try? FileManager.default.removeItem(at: url) }
        try model.write(to: url)
        let classifier = try ActionClassifier(contentsOf: url)
        #expect(classifier.description == model.description)
        for label in ToyClips.labels {
            let clip = ToyClips.clip(1000, label: label, frames: 60)
            let window = PoseWindow(
                track: 1, start: 0, end: 2, keypoints: clip.keypoints, posedFrames: 60, aspect: clip.aspect)
            #expect(try classifier.predict(window).label == label)
        }
    }

    @Test func `the same seed gives the same bytes, whatever the order of the clips; another seed others`() throws {
        let clips = ToyClips.all(perLabel: 12)
        let model = try bytes(Trainer(parameters(epochs: 2)).train(clips: clips))
        #expect(try bytes(Trainer(parameters(epochs: 2)).train(clips: clips.reversed())) == model)
        var other = parameters(epochs: 2)
        other.seed = 2
        #expect(try bytes(Trainer(other).train(clips: clips)) != model)
    }

    @Test func `progress reports every pass and the remaining time`() throws {
        var reports: [TrainingProgress] = []
        let model = try Trainer(parameters(epochs: 3)).train(clips: ToyClips.all(perLabel: 16)) { reports.append($0) }
        let ends = reports.filter(\.isEndOfEpoch)
        #expect(ends.map(\.epoch) == [1, 2, 3])
        #expect(ends == model.history)
        #expect(ends.allSatisfy { $0.validation != nil && $0.epochs == 3 })
        #expect(ends.last?.secondsLeft == 0 && ends.last?.step == ends.last?.steps)
        #expect(ends[2].loss < ends[0].loss)
    }

    @Test func `a cancelled training keeps the best so far; before the first pass there is none`() throws {
        var passes = 0
        let model = try Trainer(parameters(epochs: 50)).train(
            clips: ToyClips.all(perLabel: 12), progress: { passes += $0.isEndOfEpoch ? 1 : 0 },
            isCancelled: { passes >= 2 })
        #expect(model.wasCancelled && model.history.count == 2)
        _ = try model.classifier()
        #expect(throws: TrainingError.cancelled) {
            try Trainer(parameters()).train(clips: ToyClips.all(perLabel: 12), isCancelled: { true })
        }
    }

    @Test func `training stops when validation no longer gets better`() throws {
        var parameters = parameters(epochs: 200)
        parameters.patience = 2
        parameters.learningRate = 1e-6
        parameters.warmUpSteps = 0
        parameters.widths = [4, 4, 4]
        let model = try Trainer(parameters).train(clips: ToyClips.all(perLabel: 8))
        #expect(model.history.count < 200)
        #expect(model.history.suffix(2).allSatisfy { $0.validation?.isBest == false })
    }

    @Test func `given validation clips are held out, and all others are trained on`() throws {
        let clips = ToyClips.all(perLabel: 12)
        let held = ToyClips.labels.map { ToyClips.clip(500, label: $0) }
        let model = try Trainer(parameters(epochs: 1)).train(clips: clips, validation: held)
        #expect(model.trainingClips == 36 && model.validationClips == 3)
        #expect(throws: TrainingError.unknownValidationLabel(label: "lunge", known: ToyClips.labels)) {
            try Trainer(parameters()).train(clips: clips, validation: [held[0].with(label: "lunge")])
        }
    }

    @Test func `without validation the last weights are kept, and nothing is claimed`() throws {
        let model = try Trainer(parameters(epochs: 1)).train(clips: ToyClips.all(perLabel: 8), validation: [])
        #expect(model.evaluation == nil && model.description.temperature == 1)
    }

    @Test func `training continues from an existing model`() throws {
        let clips = ToyClips.all(perLabel: 16)
        let first = try Trainer(parameters(epochs: 8)).train(clips: clips)
        var more = parameters(epochs: 1)
        more.learningRate = 5e-4
        let file = try ModelFile(data: bytes(first), file: "first")
        let further = try Trainer(more).train(clips: clips, startingFrom: file)
        let anew = try Trainer(more).train(clips: clips)
        #expect(further.history[0].loss < anew.history[0].loss - 0.2)
        more.widths = [8, 8, 8]
        #expect(throws: TrainingError.self) { try Trainer(more).train(clips: clips, startingFrom: file) }
    }

    @Test func `what teachers think is learned beside the labels`() throws {
        let clips = ToyClips.all(perLabel: 24)
        let teacher = try ModelFile(data: bytes(Trainer(parameters(epochs: 12)).train(clips: clips)), file: "teacher")
        // The labels of two motions are exchanged: who follows the teacher alone is right, who follows the labels is not.
        let exchanged = clips.map { $0.with(label: ["jack": "squat", "squat": "jack"][$0.label] ?? $0.label) }
        func right(teachers: [ModelFile], share: Float) throws -> Int {
            var more = parameters(epochs: 12)
            more.teacherShare = share
            let student = try Trainer(more).train(clips: exchanged, validation: [], teachers: teachers)
            if !teachers.isEmpty { #expect(student.description.trainingParameters["teachers"] == teacher.digest) }
            return try student.classifier().evaluate(on: clips).clips.verdicts.count { $0.label == $0.answer }
        }
        #expect(try right(teachers: [teacher], share: 1) >= 68)
        #expect(try right(teachers: [], share: 1) <= 28)
    }

    @Test func `teachers know the labels of the clips and read the same windows`() throws {
        let clips = ToyClips.all(perLabel: 8)
        let teacher = try ModelFile(data: bytes(Trainer(parameters(epochs: 1)).train(clips: clips)), file: "teacher")
        let others = clips.map { $0.with(label: $0.label == "jack" ? "lunge" : $0.label) }
        #expect(
            throws: TrainingError.unsuitableTeacher(
                model: "model", reason: "only one of it and the clips has jack, lunge")
        ) { try Trainer(parameters()).train(clips: others, teachers: [teacher]) }
        var longer = parameters()
        longer.windowFrames = 70
        #expect(throws: TrainingError.self) { try Trainer(longer).train(clips: clips, teachers: [teacher]) }
    }

    @Test func `clips that cannot be trained on are refused with the reason`() {
        let squats = (0..<5).map { ToyClips.clip($0, label: "squat") }
        #expect(throws: TrainingError.tooFewLabels(found: ["squat"])) { try Trainer(parameters()).train(clips: squats) }
        #expect(throws: TrainingError.tooFewLabels(found: [])) { try Trainer(parameters()).train(clips: []) }
        #expect(throws: TrainingError.labelReserved(label: "starting")) {
            try Trainer(parameters()).train(clips: squats + squats.map { $0.with(label: "starting") })
        }
        let short = ToyClips.clip(1, label: "jack", frames: 19)
        let reason = "it has 19 frames at 30.0 per second, expected at least 20"
        #expect(
            throws: TrainingError.labelLost(label: "jack", clips: [RejectedClip(name: "jack/1", reason: reason)])
        ) {
            try Trainer(parameters()).train(clips: squats + [ToyClips.clip(1, label: "none"), short])
        }
        var wild = parameters()
        wild.batchSize = 0
        #expect(throws: TrainingError.parameter(name: "batch size", expected: "2…4096", found: "0")) {
            try Trainer(wild).train(clips: ToyClips.all(perLabel: 2))
        }
    }
}
