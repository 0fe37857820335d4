import Actions
import Foundation
import NeuralNet

/// A training in progress: the network, the optimizer, and the best weights so far.
struct TrainingCourse {
    let network: TrainingNetwork<Float>
    let validationWindows: ScoredWindows
    private(set) var best: [String: Tensor<Float>]
    private(set) var history: [TrainingProgress] = []
    private(set) var wasCancelled = false

    private let parameters: TrainingParameters
    private let labels: [String]
    private let batches: BatchMaker
    private let loss: SoftmaxCrossEntropy<Float>
    private var optimizer: Adam<Float>
    private var average: WeightAverage?
    private var step = 0
    private var bestScore: (macroRecall: Float, logLoss: Float)?
    private var epochsSinceBest = 0
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant

    /// Steps between two progress reports.
    private static let stepsPerReport = 10

    init(
        network: TrainingNetwork<Float>, material: TrainingMaterial, parameters: TrainingParameters, teachers: Teachers
    ) {
        self.network = network
        self.parameters = parameters
        labels = material.labels
        batches = BatchMaker(
            clips: material.training, labels: material.labels, parameters: parameters, teachers: teachers)
        validationWindows = ScoredWindows(clips: material.validation, labels: material.labels, parameters: parameters)
        loss = SoftmaxCrossEntropy(smoothing: parameters.labelSmoothing)
        optimizer = Adam(
            network.parameters, weightDecay: parameters.weightDecay, longestGradient: parameters.longestGradient)
        best = network.tensors()
        began = clock.now
    }

    private var steps: Int { parameters.epochs * batches.batchesPerEpoch }

    /// - Throws: ``TrainingError/cancelled`` before the first pass is complete, or ``TrainingError/diverged(epoch:)``.
    mutating func run(progress: (TrainingProgress) -> Void, isCancelled: () -> Bool) throws(TrainingError) {
        for epoch in 0..<parameters.epochs {
            guard let tally = try pass(epoch, progress: progress, isCancelled: isCancelled) else {
                guard epoch > 0 else { throw .cancelled }
                wasCancelled = true
                return
            }
            let report = report(epoch, tally, validation: keepIfBest(), isEnd: true)
            history.append(report)
            progress(report)
            if let patience = parameters.patience, epochsSinceBest >= patience { return }
        }
    }

    /// Sums over the steps of a pass.
    private struct Tally {
        var loss: Float = 0
        var correct = 0
        var steps = 0
    }

    /// One pass over the clips; `nil` if the caller cancelled.
    private mutating func pass(
        _ epoch: Int, progress: (TrainingProgress) -> Void, isCancelled: () -> Bool
    ) throws(TrainingError) -> Tally? {
        let (batches, plan) = (batches, batches.plan(epoch: epoch))
        let next = Prefetch { index in
            index < batches.batchesPerEpoch ? batches.batch(index, of: plan, epoch: epoch) : nil
        }
        var tally = Tally()
        while let batch = next() {
            if isCancelled() { return nil }
            let result = loss(
                network.forward(batch.features), labels: batch.labels, opinions: batch.opinions,
                opinionShare: parameters.teacherShare)
            guard result.loss.isFinite else { throw .diverged(epoch: epoch + 1) }
            network.backward(result.gradient)
            optimizer.step(rate: learningRate)
            step += 1
            average = average?.adding(network.tensors()) ?? WeightAverage(network.tensors(), of: steps)
            tally.loss += result.loss
            tally.correct += result.correct
            tally.steps += 1
            if step % Self.stepsPerReport == 0 { progress(report(epoch, tally, validation: nil, isEnd: false)) }
        }
        return tally
    }

    /// Rises linearly, then falls along half a cosine.
    private var learningRate: Float {
        let warmUp = min(parameters.warmUpSteps, steps / 10)
        let rise = warmUp > 0 ? min(Float(step + 1) / Float(warmUp), 1) : 1
        let wave = (1 + cos(Float.pi * Float(step) / Float(steps))) / 2
        let fall = wave * (1 - parameters.finalLearningRate) + parameters.finalLearningRate
        return parameters.learningRate * rise * fall
    }

    /// Measures the weights and keeps them if they are the best: higher macro recall, or equal recall and lower log
    /// loss. Without validation clips the latest weights are the best.
    private mutating func keepIfBest() -> TrainingProgress.Validation? {
        let tensors = average?.tensors ?? network.tensors()
        guard !validationWindows.labels.isEmpty else {
            best = tensors
            return nil
        }
        let outputs = validationWindows.outputs(of: ClassifierNetwork(size: network.size, tensors: tensors))
        let figures = Evaluation.measure(
            outputs: outputs, labels: validationWindows.labels, names: labels, temperature: 1, minimumConfidence: 0)
        let score = (macroRecall: Float(figures.macroRecall), logLoss: Float(figures.logLoss))
        let isBest = bestScore.map { ($0.macroRecall, -$0.logLoss) < (score.macroRecall, -score.logLoss) } ?? true
        if isBest {
            (best, bestScore) = (tensors, score)
            epochsSinceBest = 0
        } else {
            epochsSinceBest += 1
        }
        return TrainingProgress.Validation(
            accuracy: Float(figures.accuracy), macroRecall: score.macroRecall, logLoss: score.logLoss, isBest: isBest)
    }

    private func report(
        _ epoch: Int, _ tally: Tally, validation: TrainingProgress.Validation?, isEnd: Bool
    ) -> TrainingProgress {
        let elapsed = began.duration(to: clock.now) / .seconds(1)
        return TrainingProgress(
            epoch: epoch + 1, epochs: parameters.epochs, step: step, steps: steps,
            loss: tally.loss / Float(max(tally.steps, 1)),
            trainingAccuracy: Float(tally.correct) / Float(max(tally.steps * batches.batchSize, 1)),
            validation: validation, secondsLeft: elapsed / Double(max(step, 1)) * Double(steps - step),
            isEndOfEpoch: isEnd)
    }
}
