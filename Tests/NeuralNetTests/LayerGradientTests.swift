import NeuralNet
import Testing

/// Compares every hand-written backward pass with differences of its forward pass, in double precision.
@Suite struct LayerGradientTests {
    @Test func `a convolution's gradients match differences`() {
        var random = RandomSource(seed: 1)
        for shape in [
            Conv1DShape(inputs: 3, outputs: 4, kernel: 5, stride: 2), Conv1DShape(inputs: 4, outputs: 4, kernel: 5),
            Conv1DShape(inputs: 2, outputs: 5, kernel: 3, dilation: 2), Conv1DShape(inputs: 3, outputs: 2, kernel: 1),
        ] {
            expectRightGradients(Conv1D<Double>(shape, random: &random), input: [2, 9, shape.inputs])
        }
    }

    @Test func `a batch norm's gradients match differences`() {
        let norm = BatchNorm<Double>(channels: 4)
        norm.scale.value = [0.5, 1, -2, 1.5]
        norm.offset.value = [1, -1, 0, 0.25]
        expectRightGradients(norm, input: [3, 5, 4])
        norm.isFrozen = true
        (norm.mean, norm.variance) = ([0.5, -1, 0, 2], [0.5, 1, 2, 4])
        expectRightGradients(norm, input: [3, 5, 4])
        #expect(norm.mean == [0.5, -1, 0, 2] && norm.variance == [0.5, 1, 2, 4])
    }

    @Test func `the gradients of layers without parameters match differences`() {
        expectRightGradients(ReLU<Double>(), input: [3, 5, 4])
        expectRightGradients(MeanMaxPool<Double>(), input: [3, 5, 4])
        let dropout = Dropout<Double>(rate: 0.3, random: RandomSource(seed: 2))
        expectRightGradients(dropout, input: [4, 6]) { dropout.random = RandomSource(seed: 2) }
    }

    @Test func `a dense layer's gradients match differences`() {
        var random = RandomSource(seed: 3)
        expectRightGradients(Dense<Double>(inputs: 6, outputs: 4, random: &random), input: [5, 6])
    }

    @Test func `the gradients of blocks of layers match differences`() {
        var random = RandomSource(seed: 4)
        let shape = Conv1DShape(inputs: 4, outputs: 4, kernel: 3)
        expectRightGradients(ConvBlock<Double>(shape, random: &random), input: [3, 7, 4])
        expectRightGradients(ResidualBlock<Double>(shape, shape, random: &random), input: [3, 7, 4])
    }

    @Test(arguments: [0, 0.7, 1]) func `the loss's gradient matches differences`(share: Double) {
        var random = RandomSource(seed: 5)
        let loss = SoftmaxCrossEntropy<Double>(smoothing: 0.1)
        var outputs = randomTensor([3, 5], &random)
        let labels = [4, 0, 2]
        let opinions = Tensor(
            shape: [3, 5],
            values: [0.1, 0.2, 0.3, 0.2, 0.2, 0.9, 0.1, 0, 0, 0, 0, 0, 0.5, 0.25, 0.25])
        let gradient = loss(outputs, labels: labels, opinions: opinions, opinionShare: share).gradient
        for index in outputs.values.indices {
            let numeric = centralDifference(at: outputs.values[index]) {
                outputs.values[index] = $0
            } of: {
                loss(outputs, labels: labels, opinions: opinions, opinionShare: share).loss
            }
            #expect(relativeError(numeric, gradient.values[index]) < 1e-6)
        }
    }
}
