import CKernels
import NeuralNet
import Testing

/// Compares every level's kernels with plain loops, for sizes that cover every tile, edge and remainder.
@Suite struct KernelTests {
    private static let levels = KernelLevel.supported.filter { $0 != .half }

    /// Pseudo-random numbers between -1 and 1, the same in every run.
    private struct Numbers {
        private var random = RandomSource(seed: 11)

        mutating func next(_ count: Int) -> [Float] {
            (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
        }
    }

    private struct Map {
        let height, width, channels, pixel: Int
        let memory: AlignedMemory

        /// - Parameter lanes: channels are rounded up to a multiple of this.
        init(_ height: Int, _ width: Int, _ channels: Int, lanes: Int) {
            (self.height, self.width, self.channels) = (height, width, channels)
            pixel = (channels + lanes - 1) / lanes * lanes
            memory = AlignedMemory(count: height * width * pixel)
        }

        func fill(_ numbers: inout Numbers) {
            for start in stride(from: 0, to: height * width * pixel, by: pixel) {
                for (channel, value) in numbers.next(channels).enumerated() { memory.start[start + channel] = value }
            }
        }

        subscript(y: Int, x: Int, channel: Int) -> Float { memory.start[(y * width + x) * pixel + channel] }
        /// One value; zero outside the map.
        func orZero(_ y: Int, _ x: Int, _ channel: Int) -> Float {
            0..<height ~= y && 0..<width ~= x ? self[y, x, channel] : 0
        }
    }

    /// The largest difference between a map and the result of plain loops.
    private func error(of map: Map, expected: (Int, Int, Int) -> Float) -> Float {
        var worst: Float = 0
        for y in 0..<map.height {
            for x in 0..<map.width {
                for channel in 0..<map.channels {
                    let difference = (map[y, x, channel] - expected(y, x, channel)).magnitude
                    worst = difference.isNaN ? .infinity : max(worst, difference)
                }
            }
        }
        return worst
    }

    @Test(arguments: levels, [1, 3, 7, 16, 17, 50]) func `pointwise convolution`(level: KernelLevel, pixels: Int) {
        let kernels = level.kernels, lanes = Int(kernels.lanes)
        var numbers = Numbers()
        for (depth, outputs) in [
            (1, 1), (3, 16), (13, 24), (24, 40), (32, 48), (48, 64), (64, 130), (900, 40), (1200, 24),
        ] {
            for half in kernels.half_weights ? [false, true] : [false] {
                for withResidual in [false, true] {
                    let input = Map(2, pixels, depth, lanes: lanes), output = Map(2, pixels, outputs, lanes: lanes)
                    let residual = Map(2, pixels, outputs, lanes: lanes)
                    input.fill(&numbers)
                    residual.fill(&numbers)
                    // Multiples of 1/64 are exact as 16-bit floats.
                    let weights = numbers.next(depth * outputs).map { ($0 * 64).rounded() / 64 }
                    let bias = numbers.next(outputs)
                    let packed = PackedWeights(weights, outputs: outputs, half: half, kernels: kernels)
                    let paddedBias = AlignedMemory(bias + Array(repeating: 0, count: output.pixel - outputs))
                    var arguments = ck_convolution(
                        input: input.memory.start, input_pixel_stride: 4 * input.pixel,
                        input_row_stride: 4 * pixels * input.pixel, segments: 1, segment_stride: 0, depth: Int32(depth),
                        weights: packed.memory.start, half_weights: half, float_outputs: false, bias: paddedBias.start,
                        output: output.memory.start,
                        residual: withResidual ? UnsafeRawPointer(residual.memory.start) : nil,
                        output_pixel_stride: 4 * output.pixel, output_row_stride: 4 * pixels * output.pixel,
                        residual_row_stride: 4 * pixels * output.pixel, output_vector_stride: 4 * lanes, rows: 2,
                        pixels: Int32(pixels),
                        vectors: Int32(output.pixel / lanes), low: 0, high: 1.5)
                    kernels.convolve(&arguments)
                    let worst = error(of: output) { y, x, channel in
                        let products = (0..<depth).map { input[y, x, $0] * weights[channel * depth + $0] }
                        let sum = bias[channel] + products.reduce(0, +) + (withResidual ? residual[y, x, channel] : 0)
                        return min(max(sum, 0), 1.5)
                    }
                    #expect(worst < 2e-5, "\(depth) to \(outputs), half \(half), residual \(withResidual)")
                }
            }
        }
    }

    @Test(arguments: levels) func `convolution of a picture by 3x3 windows, every second pixel`(level: KernelLevel) {
        let kernels = level.kernels, lanes = Int(kernels.lanes)
        var numbers = Numbers()
        let (height, width, outputs) = (6, 10, 24)
        // One zero pixel around the picture; three floats a pixel, without rounding up.
        let row = (width + 2) * 3
        let picture = AlignedMemory(count: (height + 2) * row)
        let values = numbers.next(height * width * 3)
        for y in 0..<height {
            for index in 0..<width * 3 { picture.start[(y + 1) * row + 3 + index] = values[y * width * 3 + index] }
        }
        let weights = numbers.next(outputs * 27), bias = numbers.next(outputs)
        let packed = PackedWeights(weights, outputs: outputs, half: false, kernels: kernels)
        let output = Map(height / 2, width / 2, outputs, lanes: lanes)
        let paddedBias = AlignedMemory(bias + Array(repeating: 0, count: output.pixel - outputs))
        var arguments = ck_convolution(
            input: picture.start, input_pixel_stride: 4 * 6, input_row_stride: 4 * 2 * row, segments: 3,
            segment_stride: 4 * row, depth: 9, weights: packed.memory.start, half_weights: false, float_outputs: false,
            bias: paddedBias.start, output: output.memory.start, residual: nil, output_pixel_stride: 4 * output.pixel,
            output_row_stride: 4 * output.width * output.pixel, residual_row_stride: 0, output_vector_stride: 4 * lanes,
            rows: Int32(output.height), pixels: Int32(output.width), vectors: Int32(output.pixel / lanes),
            low: -.infinity, high: .infinity)
        kernels.convolve(&arguments)
        let worst = error(of: output) { y, x, channel in
            var sum = bias[channel]
            for ky in 0..<3 {
                for index in 0..<9 {
                    sum += picture.start[(2 * y + ky) * row + 6 * x + index] * weights[channel * 27 + ky * 9 + index]
                }
            }
            return sum
        }
        #expect(worst < 2e-5)
    }

    @Test(arguments: levels, [(3, 1), (3, 2), (5, 1), (5, 2)])
    func `depthwise convolution over a ring of rows`(level: KernelLevel, window: (kernel: Int, stride: Int)) {
        let kernels = level.kernels, lanes = Int(kernels.lanes)
        var numbers = Numbers()
        let (kernel, stride) = window, pad = (kernel - 1) / 2
        for (width, channels) in [(1, 4), (7, 16), (12, 24), (17, 40)] {
            let height = 11
            let input = Map(height, width, channels, lanes: lanes)
            input.fill(&numbers)
            let outputWidth = (width + stride - 1) / stride, outputHeight = (height + stride - 1) / stride
            let output = Map(outputHeight, outputWidth, channels, lanes: lanes)
            let weights = numbers.next(kernel * kernel * channels), bias = Map(1, 1, channels, lanes: lanes)
            let sorted = AlignedMemory(weights.byVectors(of: lanes, channels: channels))
            bias.fill(&numbers)
            let strip = 3, ringRows = (strip - 1) * stride + kernel, vectors = input.pixel / lanes
            let ringStride = (pad + width + kernel) * lanes, ringVector = ringRows * ringStride
            let ring = AlignedMemory(count: vectors * ringVector), zeros = AlignedMemory(count: ringStride)
            // The kernel clears the padding, whatever was there before.
            for index in 0..<vectors * ringVector { ring.start[index] = 100 }
            for (first, count) in [(0, pad), (pad + width, kernel)] {
                kernels.clear_pixels(
                    ring.start + first * lanes, Int32(count), Int32(ringRows), 4 * ringStride, Int32(vectors),
                    4 * ringVector)
            }
            var ready = 0
            for first in Swift.stride(from: 0, to: outputHeight, by: strip) {
                let rows = min(strip, outputHeight - first)
                while ready < min(height, (first + rows - 1) * stride - pad + kernel) {
                    kernels.split_row(
                        input.memory.start + ready * width * input.pixel, 4 * input.pixel, Int32(width), Int32(vectors),
                        ring.start + ready % ringRows * ringStride + pad * lanes, 4 * ringVector)
                    ready += 1
                }
                var arguments = ck_depthwise(
                    ring: ring.start, ring_stride: 4 * ringStride, ring_vector_stride: 4 * ringVector,
                    ring_rows: Int32(ringRows),
                    input_height: Int32(height), zero_row: zeros.start, kernel: Int32(kernel), stride: Int32(stride),
                    pad_top: Int32(pad), first_row: Int32(first), rows: Int32(rows), width: Int32(outputWidth),
                    vectors: Int32(vectors), weights: sorted.start, bias: bias.memory.start,
                    output: output.memory.start + first * outputWidth * input.pixel, pixel: 4 * input.pixel, low: -1,
                    high: 1)
                kernels.depthwise(&arguments)
            }
            let worst = error(of: output) { y, x, channel in
                var sum = bias[0, 0, channel]
                for ky in 0..<kernel {
                    for kx in 0..<kernel {
                        sum +=
                            input.orZero(y * stride - pad + ky, x * stride - pad + kx, channel)
                            * weights[(ky * kernel + kx) * channels + channel]
                    }
                }
                return min(max(sum, -1), 1)
            }
            #expect(worst < 1e-5, "\(width) pixels of \(channels) channels")
        }
    }

    @Test(arguments: levels) func `a convolution into a ring of rows`(level: KernelLevel) {
        let kernels = level.kernels, lanes = Int(kernels.lanes)
        var numbers = Numbers()
        let (rows, pixels, depth) = (3, 9, 5), input = Map(rows, pixels, depth, lanes: lanes)
        input.fill(&numbers)
        for outputs in [1, 20, 72, 130] {
            let weights = numbers.next(depth * outputs), vectors = (outputs + lanes - 1) / lanes
            let packed = PackedWeights(weights, outputs: outputs, half: false, kernels: kernels)
            let bias = AlignedMemory(count: vectors * lanes)
            let ringStride = (pixels + 2) * lanes, ringVector = rows * ringStride
            let ring = AlignedMemory(count: vectors * ringVector)
            var arguments = ck_convolution(
                input: input.memory.start, input_pixel_stride: 4 * input.pixel,
                input_row_stride: 4 * pixels * input.pixel, segments: 1, segment_stride: 0, depth: Int32(depth),
                weights: packed.memory.start, half_weights: false, float_outputs: false, bias: bias.start,
                output: ring.start, residual: nil, output_pixel_stride: 4 * lanes, output_row_stride: 4 * ringStride,
                residual_row_stride: 0, output_vector_stride: 4 * ringVector, rows: Int32(rows),
                pixels: Int32(pixels), vectors: Int32(vectors), low: -.infinity, high: .infinity)
            kernels.convolve(&arguments)
            var worst: Float = 0
            for (y, x, channel) in product(rows, pixels + 2, outputs) {
                let found = ring.start[channel / lanes * ringVector + y * ringStride + x * lanes + channel % lanes]
                let products = (0..<depth).map { x < pixels ? input[y, x, $0] * weights[channel * depth + $0] : 0 }
                worst = max(worst, (found - products.reduce(0, +)).magnitude)
            }
            #expect(worst < 1e-5, "\(outputs) channels")
        }
    }

    /// All triples of numbers from zero on.
    private func product(_ a: Int, _ b: Int, _ c: Int) -> [(Int, Int, Int)] {
        (0..<a).flatMap { a in (0..<b).flatMap { b in (0..<c).map { (a, b, $0) } } }
    }

    @Test(arguments: levels, [(1, 1), (2, 5), (7, 4)])
    func `doubling by bilinear interpolation`(level: KernelLevel, size: (height: Int, width: Int)) {
        let kernels = level.kernels, lanes = Int(kernels.lanes)
        var numbers = Numbers()
        let input = Map(size.height, size.width, 20, lanes: lanes)
        let addend = Map(2 * size.height, 2 * size.width, 20, lanes: lanes)
        let output = Map(2 * size.height, 2 * size.width, 20, lanes: lanes)
        input.fill(&numbers)
        addend.fill(&numbers)
        var arguments = ck_doubling(
            input: input.memory.start, height: Int32(size.height), width: Int32(size.width),
            vectors: Int32(input.pixel / lanes), first_row: 0, last_row: Int32(2 * size.height), first_column: 0,
            last_column: Int32(size.width), addend: addend.memory.start, output: output.memory.start, low: 0, high: 6)
        kernels.double_and_add(&arguments)
        // Map the output pixel's centre to the input; the value is interpolated between its neighbours.
        func between(_ index: Int, _ count: Int) -> (Int, Int, Float) {
            let position = max(0, (Float(index) + 0.5) / 2 - 0.5)
            let low = min(Int(position), count - 1)
            return (low, min(low + 1, count - 1), position - Float(low))
        }
        let worst = error(of: output) { y, x, channel in
            let (top, bottom, down) = between(y, size.height), (left, right, across) = between(x, size.width)
            let above = input[top, left, channel] * (1 - across) + input[top, right, channel] * across
            let below = input[bottom, left, channel] * (1 - across) + input[bottom, right, channel] * across
            return addend[y, x, channel] + min(max(above * (1 - down) + below * down, 0), 6)
        }
        #expect(worst < 1e-6)
    }

    @Test(arguments: levels) func `adding, pooling and widening`(level: KernelLevel) {
        let kernels = level.kernels, lanes = Int(kernels.lanes)
        var numbers = Numbers()
        let a = Map(4, 6, 24, lanes: lanes), b = Map(4, 6, 24, lanes: lanes), sum = Map(4, 6, 24, lanes: lanes)
        a.fill(&numbers)
        b.fill(&numbers)
        kernels.add(a.memory.start, b.memory.start, sum.memory.start, a.memory.count, 0, 1)
        #expect(error(of: sum) { min(max(a[$0, $1, $2] + b[$0, $1, $2], 0), 1) } == 0)

        let pooled = Map(2, 3, 24, lanes: lanes)
        kernels.max_pool(a.memory.start, 4, 6, Int32(a.pixel / lanes), pooled.memory.start)
        let worst = error(of: pooled) { y, x, channel in
            max(
                max(a[2 * y, 2 * x, channel], a[2 * y, 2 * x + 1, channel]),
                max(a[2 * y + 1, 2 * x, channel], a[2 * y + 1, 2 * x + 1, channel]))
        }
        #expect(worst == 0)

        let bytes = (0...255).map(UInt8.init)
        let floats = AlignedMemory(count: 256)
        kernels.widen_bytes(bytes, 256, 2 / 255, -1, floats.start)
        #expect(bytes.allSatisfy { (floats.start[Int($0)] - (Float($0) * 2 / 255 - 1)).magnitude < 1e-6 })
    }

    @Test(arguments: levels, [1, 15, 16, 100]) func `16-bit floats, there and back`(level: KernelLevel, count: Int) {
        var numbers = Numbers()
        let floats = numbers.next(count) + [0, -0.0, 65504, 6e-8, 0.1]
        var halves = [UInt16](repeating: 0, count: floats.count), widened = [Float](repeating: 0, count: floats.count)
        level.kernels.narrow_floats(floats, floats.count, &halves)
        level.kernels.widen_halves(halves, halves.count, &widened)
        #expect(halves == floats.map { Float16($0).bitPattern })
        #expect(widened == floats.map { Float(Float16($0)) })
    }

    @Test func `the best level is one this machine has, and the portable one is always there`() {
        #expect(KernelLevel.supported.first == .portable)
        #expect(KernelLevel.supported.contains(.best))
        #if !arch(arm64)
            #expect(KernelLevel.best != .half, "without instructions for it, computing with 16-bit floats is slow")
        #endif
    }
}
