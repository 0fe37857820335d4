import NeuralNet
import Testing

@Suite struct LayerTests {
    @Test func `a convolution is the sum over its taps`() {
        var random = RandomSource(seed: 1)
        let shape = Conv1DShape(inputs: 2, outputs: 3, kernel: 3, stride: 2, dilation: 2)
        let conv = Conv1D<Double>(shape, random: &random)
        let x = randomTensor([2, 7, 2], &random)
        let y = conv.forward(x)
        #expect(y.shape == [2, 4, 3])
        for sample in 0..<2 {
            for frame in 0..<4 {
                for output in 0..<3 {
                    var sum = 0.0
                    for tap in 0..<3 {
                        let source = frame * 2 + tap * 2 - 2
                        guard (0..<7).contains(source) else { continue }
                        for input in 0..<2 {
                            let weight = conv.weight.value[(tap * 2 + input) * 3 + output]
                            sum += weight * x.values[(sample * 7 + source) * 2 + input]
                        }
                    }
                    #expect(abs(y.values[(sample * 4 + frame) * 3 + output] - sum) < 1e-12)
                }
            }
        }
    }

    @Test func `a batch norm gives every channel mean 0 and variance 1, and its folded form agrees`() {
        var random = RandomSource(seed: 2)
        let norm = BatchNorm<Double>(channels: 3)
        let x = Tensor(shape: [4, 25, 3], values: randomTensor([300], &random).values.map { 5 + 3 * $0 })
        var y = norm.forward(x)
        for _ in 0..<300 { y = norm.forward(x) }
        for channel in 0..<3 {
            let values = stride(from: channel, to: 300, by: 3).map { y.values[$0] }
            #expect(abs(values.reduce(0, +) / 100) < 1e-9)
            #expect(abs(values.reduce(0) { $0 + $1 * $1 } / 100 - 1) < 1e-4)
        }
        let folded = BatchNorm<Double>.folded(
            scale: norm.scale.value, offset: norm.offset.value, mean: norm.mean, variance: norm.variance)
        for index in x.values.indices {
            let value = x.values[index] * folded.scale[index % 3] + folded.offset[index % 3]
            #expect(abs(value - y.values[index]) < 1e-6)
        }
    }

    @Test func `dropout zeroes its share of the values and keeps the mean`() {
        let dropout = Dropout<Float>(rate: 0.3, random: RandomSource(seed: 3))
        let y = dropout.forward(Tensor(shape: [100, 100], values: [Float](repeating: 1, count: 10_000)))
        let silent = y.values.count { $0 == 0 }
        #expect((2_800...3_200).contains(silent))
        let mean: Float = y.values.reduce(0, +) / 10_000
        #expect(abs(mean - 1) < 0.03)
    }

    @Test func `Adam finds the minimum of a quadratic, and weight decay affects only the weights it applies to`() {
        let weight = Parameter<Double>([3, -2], decays: false)
        var adam = Adam([weight], weightDecay: 0)
        for _ in 0..<2000 {
            weight.gradient = [2 * (weight.value[0] - 1), 2 * (weight.value[1] - 4)]
            adam.step(rate: 0.02)
        }
        #expect(abs(weight.value[0] - 1) < 1e-3 && abs(weight.value[1] - 4) < 1e-3)

        let decaying = Parameter<Double>([1], decays: true)
        let constant = Parameter<Double>([1], decays: false)
        var decay = Adam([decaying, constant], weightDecay: 0.5)
        decay.step(rate: 0.1)
        #expect(abs(decaying.value[0] - 0.95) < 1e-12)
        #expect(constant.value == [1])
    }

    @Test func `a long gradient is shortened to the limit`() {
        let parameter = Parameter<Double>([0, 0], decays: false)
        // The first step is rate · g/(|g| + ε), so only a tiny gradient shows its length, through ε.
        parameter.gradient = [3e8, 4e8]
        var adam = Adam([parameter], weightDecay: 0, longestGradient: 5e-8)
        adam.step(rate: 1)
        #expect(abs(parameter.value[0] + 3 / 4.0) < 1e-9)
        #expect(abs(parameter.value[1] + 4 / 5.0) < 1e-9)
    }

    @Test func `the smoothed loss is lowest at the smoothed label`() {
        let loss = SoftmaxCrossEntropy<Double>(smoothing: 0.1)
        let label = [0.9 + 0.05, 0.05].map { Double.logarithm($0) }
        let result = loss(Tensor(shape: [1, 2], values: label), labels: [0])
        #expect(result.gradient.values.allSatisfy { abs($0) < 1e-12 })
        #expect(result.correct == 1)
    }

    @Test func `single and double precision agree`() {
        var first = RandomSource(seed: 8), second = RandomSource(seed: 8)
        let shape = Conv1DShape(inputs: 6, outputs: 8, kernel: 5, stride: 2)
        let x = randomTensor([3, 11, 6], &first)
        _ = randomTensor([3, 11, 6], &second)
        let double = ConvBlock<Double>(shape, random: &first).forward(x)
        let rounded = Tensor(shape: x.shape, values: x.values.map(Float.init))
        let single = ConvBlock<Float>(shape, random: &second).forward(rounded)
        for (a, b) in zip(double.values, single.values) { #expect(abs(a - Double(b)) < 1e-4) }
    }
}
