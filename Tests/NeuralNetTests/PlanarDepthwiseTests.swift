import CKernels
import NeuralNet
import Testing

/// Compares every level's depthwise kernels for channel-planar maps with plain loops, for sizes that cover every tile,
/// edge and remainder.
@Suite struct PlanarDepthwiseTests {
    private static let levels = KernelLevel.supported.filter { $0 != .half }

    @Test(arguments: levels, [(3, 1), (3, 2), (5, 1), (5, 2)])
    func `depthwise convolution in strips`(level: KernelLevel, window: (kernel: Int, stride: Int)) {
        let kernels = level.kernels, (kernel, stride) = window
        var numbers = RandomNumbers()
        for (height, width, strip) in [(1, 1, 1), (7, 7, 7), (14, 14, 14), (9, 16, 4), (23, 19, 8), (12, 66, 5)] {
            for pad in [0, kernel / 2] {
                let input = PlanarMapExample(height, width, 3).filled(&numbers)
                let output = PlanarMapExample((height + stride - 1) / stride, (width + stride - 1) / stride, 3)
                let weights = numbers.next(3 * kernel * kernel), bias = numbers.next(3)
                for first in Swift.stride(from: 0, to: output.height, by: strip) {
                    // The strip's input starts at the first row that it needs, as in a tile.
                    let from = max(0, first * stride - pad)
                    weights.withUnsafeBufferPointer { weights in
                        bias.withUnsafeBufferPointer { bias in
                            guard let weights = weights.baseAddress, let bias = bias.baseAddress else { return }
                            var arguments = ck_planar_depthwise(
                                input: input.start + from * input.row, input_first_row: Int32(from),
                                input_height: Int32(height), input_row: input.row, input_plane: input.plane,
                                kernel: Int32(kernel), stride: Int32(stride), pad_top: Int32(pad),
                                pad_left: Int32(pad), first_row: Int32(first),
                                rows: Int32(min(strip, output.height - first)), width: Int32(output.width),
                                channels: 3, weights: weights, bias: bias, output: output.start + first * output.row,
                                output_row: output.row, output_plane: output.plane, low: -1, high: 1)
                            kernels.planar_depthwise(&arguments)
                        }
                    }
                }
                // Gutters hold two zeros: a window without padding may need more behind the last pixels.
                let worst = output.error { channel, y, x in
                    guard x * stride - pad + kernel - 1 < width + 2 else { return output[channel, y, x] }
                    var sum = bias[channel]
                    for (ky, kx) in (0..<kernel * kernel).map({ ($0 / kernel, $0 % kernel) }) {
                        sum +=
                            input.orZero(channel, y * stride - pad + ky, x * stride - pad + kx)
                            * weights[(channel * kernel + ky) * kernel + kx]
                    }
                    return min(max(sum, -1), 1)
                }
                #expect(worst < 1e-5, "\(height) x \(width), strips of \(strip), padding \(pad)")
            }
        }
    }

    @Test(arguments: levels, [(1, 1), (7, 7), (14, 14), (5, 28), (3, 17)])
    func `depthwise convolution of channels spread over 2x2 pixels`(level: KernelLevel, size: (height: Int, width: Int))
    {
        var numbers = RandomNumbers()
        let input = PlanarMapExample(size.height, size.width, 12).filled(&numbers),
            output = PlanarMapExample(size.height, size.width, 3)
        let weights = numbers.next(27), bias = numbers.next(3)
        weights.withUnsafeBufferPointer { weights in
            bias.withUnsafeBufferPointer { bias in
                guard let weights = weights.baseAddress, let bias = bias.baseAddress else { return }
                var arguments = ck_planar_depthwise(
                    input: input.start, input_first_row: 0, input_height: Int32(size.height), input_row: input.row,
                    input_plane: input.plane, kernel: 3, stride: 2, pad_top: 1, pad_left: 1, first_row: 0,
                    rows: Int32(size.height), width: Int32(size.width), channels: 3, weights: weights, bias: bias,
                    output: output.start, output_row: output.row, output_plane: output.plane, low: -1, high: 1)
                level.kernels.spread_depthwise(&arguments, 3 * input.plane)
            }
        }
        let worst = output.error { channel, y, x in
            var sum = bias[channel]
            for (ky, kx) in (0..<9).map({ ($0 / 3, $0 % 3) }) {
                let (row, column) = (2 * y - 1 + ky, 2 * x - 1 + kx)
                guard row >= 0, column >= 0 else { continue }
                let quarter = row % 2 * 2 + column % 2
                sum += input[quarter * 3 + channel, row / 2, column / 2] * weights[channel * 9 + ky * 3 + kx]
            }
            return min(max(sum, -1), 1)
        }
        #expect(worst < 1e-5)
    }
}
