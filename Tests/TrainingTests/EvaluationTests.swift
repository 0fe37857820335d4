import Actions
import Foundation
import NeuralNet
import Testing
import Training

@Suite struct EvaluationTests {
    /// Outputs with these softmax probabilities.
    private func outputs(_ probabilities: [[Float]]) -> [[Float]] {
        probabilities.map { $0.map { Float.logarithm($0) } }
    }

    private func example() -> Evaluation {
        Evaluation.measure(
            outputs: outputs([[0.9, 0.1], [0.55, 0.45], [0.2, 0.8], [0.7, 0.3]]), labels: [0, 0, 1, 1],
            names: ["squat", "none"], temperature: 1, minimumConfidence: 0.6)
    }

    @Test func `precision, recall and confusion are counted`() {
        let evaluation = example()
        #expect(evaluation.confusion == [[1, 0, 1], [1, 1, 0]])
        #expect(evaluation.classes[0].recall == 1)
        #expect(evaluation.classes[0].precision == 2.0 / 3)
        #expect(evaluation.classes[1].recall == 0.5)
        #expect(evaluation.classes[1].precision == 1)
        #expect(evaluation.accuracy == 0.75 && evaluation.macroRecall == 0.75 && evaluation.windows == 4)
        #expect(abs((evaluation.classes[0].f1 ?? 0) - 0.8) < 1e-9)
        let loss = -(log(0.9) + log(0.55) + log(0.8) + log(0.3)) / 4
        #expect(abs(evaluation.logLoss - loss) < 1e-6)
        // Four bins of one window each, with errors of .1, .45, .2 and .7.
        #expect(abs(evaluation.calibrationError - (0.1 + 0.45 + 0.2 + 0.7) / 4) < 1e-6)
    }

    @Test func `the text leaves out labels that do not occur`() {
        let evaluation = Evaluation.measure(
            outputs: outputs([[0.9, 0.05, 0.05], [0.2, 0.1, 0.7]]), labels: [0, 2],
            names: ["squat", "lunge", "burpee"], temperature: 1, minimumConfidence: 0.6)
        let text = evaluation.text
        #expect(!text.contains("lunge") && text.contains("burpee   3   ·   1   ·"), "\(text)")
    }

    @Test func `the text names every label and every count`() {
        let text = example().text
        for word in ["squat", "none", "66.7 %", "100.0 %", "50.0 %", "80.0 %", "75.0 %", "4 windows"] {
            #expect(text.contains(word), "\(word) in:\n\(text)")
        }
    }

    @Test func `no windows and labels that never occur cause no division by zero`() {
        let empty = Evaluation.measure(
            outputs: [], labels: [], names: ["a", "b"], temperature: 1, minimumConfidence: 0.6)
        #expect(empty.accuracy == 0 && empty.macroRecall == 0 && empty.calibrationError == 0 && empty.logLoss == 0)
        #expect(empty.classes.allSatisfy { $0.recall == nil && $0.precision == nil && $0.f1 == nil })
        #expect(empty.text.contains("0 windows"))
    }

    @Test(arguments: [(0.7, 0.7), (1.0, 1.0), (1.6, 1.6), (0.1, 0.5), (9.0, 2.0)] as [(Float, Float)])
    func `the fitted temperature undoes a wrong one, within its limits`(wrong: Float, expected: Float) {
        // Draw labels from the probabilities of the outputs, then multiply the outputs.
        var random = RandomSource(seed: 11)
        var labels: [Int] = [], outputs: [[Float]] = []
        for _ in 0..<20_000 {
            let row = (0..<3).map { _ in 1.5 * random.normal() }
            let probabilities = ActionClassifier.softmax(row, temperature: 1)
            let draw = random.uniform()
            labels.append(draw < probabilities[0] ? 0 : draw < probabilities[0] + probabilities[1] ? 1 : 2)
            outputs.append(row.map { $0 * wrong })
        }
        #expect(abs(TemperatureFit.temperature(outputs: outputs, labels: labels) - expected) < 0.05 * expected)
        #expect(TemperatureFit.temperature(outputs: [], labels: []) == 1)
    }
}

@Suite struct ClassifierEvaluationTests {
    @Test func `a classifier is measured on clips of its labels; other clips count as other or are left out`() throws {
        var parameters = TrainingParameters()
        parameters.epochs = 12
        parameters.batchSize = 32
        parameters.widths = [12, 12, 16]
        parameters.windowsPerClip = 4
        let clips = ToyClips.all(perLabel: 16)
        let classifier = try Trainer(parameters).train(clips: clips).classifier()
        let fresh = ToyClips.labels.flatMap { label in (700..<706).map { ToyClips.clip($0, label: label, rate: 15) } }
        let (evaluation, _, rejected) = try classifier.evaluate(on: fresh + [fresh[0].with(label: "yoga")])
        #expect(evaluation.windows == 18 * 12)
        #expect(evaluation.macroRecall > 0.9)
        #expect(rejected == [RejectedClip(name: fresh[0].name, reason: "the model has no label 'yoga'")])

        let renamed = clips.map { $0.label == "none" ? $0.with(label: "other") : $0 }
        let withOther = try Trainer(parameters).train(clips: renamed).classifier()
        #expect(try withOther.evaluate(on: [fresh[0].with(label: "yoga")]).rejected.isEmpty)
    }
}
