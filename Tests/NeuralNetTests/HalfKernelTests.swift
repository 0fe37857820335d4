import CKernels
import NeuralNet
import Testing

/// Compares the kernels of 16-bit floats with plain loops that round to 16 bits wherever the kernels do. A processor with such
/// instructions gives the same bits; others round twice, so that some results differ in the last place.
/// `Tests/KernelChecks/half.h` has more of these, and runs on emulated arm64 processors.
@Suite(.enabled(if: KernelLevel.supported.contains(.half))) struct HalfKernelTests {
    private static let lanes = 8

    /// 16-bit floats in the memory of half as many floats.
    private struct Halves {
        let memory: AlignedMemory
        let start: UnsafeMutablePointer<Float16>

        init(count: Int) {
            memory = AlignedMemory(bytes: 2 * count)
            start = memory.raw.bindMemory(to: Float16.self, capacity: count)
        }

        init(_ values: [Float16]) {
            self.init(count: values.count)
            start.update(from: values, count: values.count)
        }
    }

    private var random = RandomSource(seed: 12)

    private mutating func numbers(_ count: Int) -> [Float16] {
        (0..<count).map { _ in Float16(Float.random(in: -1...1, using: &random)) }
    }

    /// Products of 16-bit floats and their sums are exact in doubles.
    private func fused(_ sum: Float16, _ a: Float16, _ b: Float16) -> Float16 {
        Float16(Double(a) * Double(b) + Double(sum))
    }

    private func isNear(_ found: Float16, _ expected: Float16) -> Bool {
        #if arch(arm64)
            found == expected
        #else
            (found - expected).magnitude < 0.01
        #endif
    }

    /// Inputs are added up 32 at a time; those beyond a multiple of eight are added to the sum.
    private func sum(_ inputs: ArraySlice<Float16>, _ weights: ArraySlice<Float16>, _ bias: Float16) -> Float16 {
        let pairs = Array(zip(inputs, weights)), inBlocks = pairs.count / Self.lanes * Self.lanes
        var sum = bias
        for first in stride(from: 0, to: inBlocks, by: 32) {
            sum += pairs[first..<min(first + 32, inBlocks)].reduce(0) { fused($0, $1.0, $1.1) }
        }
        return pairs[inBlocks...].reduce(sum) { fused($0, $1.0, $1.1) }
    }

    @Test(arguments: [1, 7, 8, 17], [(1, 16), (13, 24), (24, 40), (40, 16), (80, 64), (288, 48)])
    mutating func `pointwise convolution`(pixels: Int, size: (depth: Int, outputs: Int)) {
        let kernels = KernelLevel.half.denseKernels, (depth, outputs) = size
        let inPixel = (depth + 7) / 8 * 8, input = numbers(pixels * inPixel), weights = numbers(depth * outputs)
        let bias = numbers(outputs), residual = numbers(pixels * outputs)
        let packed = PackedWeights(weights.map(Float.init), outputs: outputs, half: true, kernels: kernels)
        let (from, added, to) = (Halves(input), Halves(residual), Halves(count: pixels * outputs))
        let start = AlignedMemory(bias.map(Float.init))
        var arguments = ck_convolution(
            input: from.start, input_pixel_stride: 2 * inPixel, input_row_stride: 0, segments: 1, segment_stride: 0,
            depth: Int32(depth), weights: packed.memory.start, half_weights: true, float_outputs: false,
            bias: start.start, output: to.start, residual: UnsafeRawPointer(added.start),
            output_pixel_stride: 2 * outputs, output_row_stride: 0, residual_row_stride: 0,
            output_vector_stride: 2 * Self.lanes, rows: 1, pixels: Int32(pixels), vectors: Int32(outputs / Self.lanes),
            low: -1, high: 1.5)
        kernels.convolve(&arguments)
        for pixel in 0..<pixels {
            for output in 0..<outputs {
                let inputs = input[pixel * inPixel..<pixel * inPixel + depth]
                let all = sum(inputs, weights[output * depth..<(output + 1) * depth], bias[output])
                let expected = min(max(all + residual[pixel * outputs + output], -1), 1.5)
                #expect(isNear(to.start[pixel * outputs + output], expected), "pixel \(pixel), output \(output)")
            }
        }
    }

    @Test(arguments: [(3, 1), (3, 2), (5, 1), (5, 2)])
    mutating func `depthwise convolution`(window: (kernel: Int, stride: Int)) {
        let kernels = KernelLevel.half.denseKernels, (kernel, stride) = window, pad = (kernel - 1) / 2
        let (height, width, channels) = (11, 12, 24), row = (pad + width + kernel) * Self.lanes
        let (outHeight, outWidth) = ((height + stride - 1) / stride, (width + stride - 1) / stride)
        // One row of pixels for each vector and line.
        var map = [Float16](repeating: 0, count: channels / Self.lanes * height * row)
        for line in 0..<channels / Self.lanes * height {
            let start = line * row + pad * Self.lanes
            map.replaceSubrange(start..<start + width * Self.lanes, with: numbers(width * Self.lanes))
        }
        let weights = numbers(kernel * kernel * channels), bias = numbers(channels)
        let (ring, zeros) = (Halves(map), Halves(count: row))
        let taps = Halves(weights.map(Float.init).byVectors(of: Self.lanes, channels: channels).map(Float16.init))
        let output = Halves(count: outHeight * outWidth * channels), start = AlignedMemory(bias.map(Float.init))
        var arguments = ck_depthwise(
            ring: ring.start, ring_stride: 2 * row, ring_vector_stride: 2 * height * row, ring_rows: Int32(height),
            input_height: Int32(height),
            zero_row: zeros.start, kernel: Int32(kernel), stride: Int32(stride), pad_top: Int32(pad), first_row: 0,
            rows: Int32(outHeight), width: Int32(outWidth), vectors: Int32(channels / Self.lanes), weights: taps.start,
            bias: start.start, output: output.start, pixel: 2 * channels, low: -1, high: 1)
        kernels.depthwise(&arguments)
        for index in 0..<outHeight * outWidth * channels {
            let (channel, x, y) = (index % channels, index / channels % outWidth, index / channels / outWidth)
            var sum = bias[channel]
            for tap in 0..<kernel * kernel {
                let line = y * stride - pad + tap / kernel, column = x * stride + tap % kernel
                guard 0..<height ~= line else { continue }
                let place = (channel / Self.lanes * height + line) * row + column * Self.lanes + channel % Self.lanes
                sum = fused(sum, map[place], weights[tap * channels + channel])
            }
            #expect(isNear(output.start[index], min(max(sum, -1), 1)), "channel \(channel) of (\(x), \(y))")
        }
    }
}
