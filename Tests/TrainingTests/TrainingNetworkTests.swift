import Actions
import NeuralNet
import Testing
import Training

@Suite struct TrainingNetworkTests {
    private static let size = NetworkSize(widths: [4, 5, 6], channels: 7, labels: 3)
    /// With a slow branch: 9 frames of the window, then 7 of that branch.
    private static let twoBranches = NetworkSize(widths: [4, 5, 6], channels: 7, labels: 3, slowFrames: 7)

    private static func features(_ batch: Int, _ random: inout RandomSource) -> Tensor<Double> {
        Tensor(shape: [batch, 16, 7], values: (0..<batch * 16 * 7).map { _ in Double(random.normal()) })
    }

    @Test func `what the network knew learns slowly, a new output fast`() {
        let network = TrainingNetwork<Double>(size: Self.size, dropout: 0, seed: 1)
        network.keep(rateShare: 0.1, known: [true, false, true])
        var random = RandomSource(seed: 2)
        let features = Self.features(6, &random)
        var optimizer = Adam(network.parameters, weightDecay: 0)
        let before = network.tensors()
        let loss = SoftmaxCrossEntropy<Double>(smoothing: 0.1)
        network.backward(loss(network.forward(features), labels: [0, 1, 2, 1, 0, 2]).gradient)
        optimizer.step(rate: 0.01)
        /// Adam's first step has the length of the learning rate for every number with a gradient.
        func longest(_ name: String, _ isMeasured: (Int) -> Bool = { _ in true }) -> Float {
            let (old, new) = (before[name]?.values ?? [], network.tensors()[name]?.values ?? [])
            return old.indices.filter(isMeasured).map { abs(new[$0] - old[$0]) }.max() ?? 0
        }
        #expect(abs(longest("output.weight") { $0 % 3 == 1 } - 0.01) < 1e-4)
        #expect(abs(longest("output.weight") { $0 % 3 != 1 } - 0.001) < 1e-5)
        #expect(abs(longest("output.bias") { $0 == 1 } - 0.01) < 1e-4)
        #expect(abs(longest("output.bias") { $0 != 1 } - 0.001) < 1e-5)
        #expect(abs(longest("stage1.entry.weight") - 0.001) < 1e-5)
    }

    @Test(arguments: [size, twoBranches], [false, true])
    func `the whole network's gradients match differences in double precision`(size: NetworkSize, isKept: Bool) {
        let network = TrainingNetwork<Double>(size: size, dropout: 0.3, seed: 1)
        if isKept { network.keep(rateShare: 0.1, known: [true, false, true]) }
        let loss = SoftmaxCrossEntropy<Double>(smoothing: 0.1)
        var random = RandomSource(seed: 2)
        var features = Self.features(5, &random)
        let labels = [0, 1, 2, 1, 0]
        func value() -> Double {
            network.repeatDropout(RandomSource(seed: 3))
            return loss(network.forward(features), labels: labels).loss
        }
        network.repeatDropout(RandomSource(seed: 3))
        let byFeature = network.backward(loss(network.forward(features), labels: labels).gradient)
        let byParameter = network.parameters.map(\.gradient)
        var worst = 0.0
        for _ in 0..<40 {
            let index = random.index(below: features.values.count)
            let place = features.values[index]
            worst = max(worst, error(byFeature.values[index], at: place, value) { features.values[index] = $0 })
        }
        for (parameter, gradient) in zip(network.parameters, byParameter) {
            for _ in 0..<6 {
                let index = random.index(below: gradient.count)
                let place = parameter.value[index]
                worst = max(worst, error(gradient[index], at: place, value) { parameter.value[index] = $0 })
            }
        }
        #expect(worst < 1e-6)
        print("largest relative gradient error of the whole network: \(worst)")
    }

    /// A gradient's difference from the central difference, relative to the larger of their sizes and 1e-4.
    private func error(_ gradient: Double, at value: Double, _ loss: () -> Double, set: (Double) -> Void) -> Double {
        let step = 1e-5
        set(value + step)
        let above = loss()
        set(value - step)
        let below = loss()
        set(value)
        let numeric = (above - below) / (2 * step)
        return abs(numeric - gradient) / max(abs(numeric) + abs(gradient), 1e-4)
    }

    @Test(arguments: [size, twoBranches])
    func `the folded network gives the trained one's outputs once its batch norms have settled`(size: NetworkSize) {
        let network = TrainingNetwork<Double>(size: size, dropout: 0, seed: 4)
        var random = RandomSource(seed: 5)
        let features = Self.features(6, &random)
        var outputs = network.forward(features)
        for _ in 0..<300 { outputs = network.forward(features) }
        let folded = ClassifierNetwork(size: size, tensors: network.tensors())
        for sample in 0..<6 {
            let own = features.values[sample * 112..<(sample + 1) * 112]
            let one = Tensor(shape: [16, 7], values: own.map { Float($0) })
            let answer = folded.outputs(of: folded.embedding(of: one))
            for label in 0..<3 { #expect(abs(Double(answer[label]) - outputs.values[3 * sample + label]) < 1e-4) }
        }
    }

    @Test(arguments: [size, twoBranches])
    func `a network's tensors match its size and can be loaded again`(size: NetworkSize) {
        let network = TrainingNetwork<Float>(size: size, dropout: 0, seed: 6)
        let tensors = network.tensors()
        #expect(tensors.mapValues(\.shape) == size.tensorShapes)
        let other = TrainingNetwork<Float>(size: size, dropout: 0, seed: 7)
        #expect(other.tensors() != tensors)
        other.load(tensors, outputs: [0, 1, 2])
        #expect(other.tensors() == tensors)
    }

    @Test func `further training keeps the output weights of known labels, whatever their order`() throws {
        let network = TrainingNetwork<Float>(size: Self.size, dropout: 0, seed: 6)
        let other = TrainingNetwork<Float>(
            size: NetworkSize(widths: [4, 5, 6], channels: 7, labels: 4), dropout: 0, seed: 7)
        let before = try #require(other.tensors()["output.weight"])
        other.load(network.tensors(), outputs: [nil, 2, 0, 1])
        let old = try #require(network.tensors()["output.weight"])
        let new = try #require(other.tensors()["output.weight"])
        for input in 0..<12 {
            #expect(new.values[4 * input] == before.values[4 * input])
            for (place, label) in [(1, 2), (2, 0), (3, 1)] {
                #expect(new.values[4 * input + place] == old.values[3 * input + label])
            }
        }
    }

    @Test func `one branch has the 123 thousand parameters of the design, two have 254 thousand`() {
        func count(slowFrames: Int?) -> Int {
            let size = NetworkSize(labels: 8, slowFrames: slowFrames)
            return TrainingNetwork<Float>(size: size, dropout: 0.3, seed: 1).parameters.reduce(0) {
                $0 + $1.value.count
            }
        }
        #expect(count(slowFrames: 60) == 253_632)
        let count = count(slowFrames: nil)
        // The design's 122,948 were for 94 channels without bones; 16 more channels add 16 · (5 · 48 + 2).
        #expect(count == 122_948 + 16 * (5 * 48 + 2))
    }
}
