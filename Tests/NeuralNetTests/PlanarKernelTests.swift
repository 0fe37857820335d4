import CKernels
import NeuralNet
import Testing

/// Compares every level's kernels for channel-planar maps with plain loops, for sizes that cover every tile, edge and
/// remainder.
@Suite struct PlanarKernelTests {
    private static let levels = KernelLevel.supported.filter { $0 != .half }

    /// The initial value of a pointwise convolution's sums.
    enum Start: CaseIterable { case bias, addend, output }
    enum Limits: CaseIterable { case none, fromZero, both }

    @Test(arguments: levels, 1...19) func `pointwise convolution without its zeros`(level: KernelLevel, vectors: Int) {
        let kernels = level.kernels, lanes = vectors * Int(kernels.lanes)
        var numbers = RandomNumbers()
        for (depth, outputs) in [(1, 1), (7, 5), (24, 16), (60, 40)] {
            for (start, limits) in Start.allCases.flatMap({ start in Limits.allCases.map { (start, $0) } }) {
                let input = PlanarMapExample(1, lanes, depth).filled(&numbers),
                    output = PlanarMapExample(1, lanes, outputs).filled(&numbers)
                let addend = PlanarMapExample(1, lanes, outputs).filled(&numbers), low = PlanarMapExample(1, lanes, 1),
                    high = PlanarMapExample(1, lanes, 1)
                // Odd lanes are gutters.
                for lane in stride(from: 0, to: lanes, by: 2) { (low.start[lane], high.start[lane]) = (-0.5, 0.75) }
                let weights = numbers.next(depth * outputs).map { $0 > 0.5 ? $0 : 0 }, bias = numbers.next(outputs)
                let before = (0..<outputs).map { channel in (0..<lanes).map { output[channel, 0, $0] } }
                let sparse = SparseWeights(
                    weights, depth: depth, outputs: 0..<outputs, inputs: 0..<depth, plane: input.plane)
                bias.withUnsafeBufferPointer { bias in
                    var arguments = ck_sparse(
                        input: input.start, lists: sparse.lists, list_count: sparse.listCount, taps: sparse.taps,
                        bias: start == .output ? nil : bias.baseAddress,
                        addend: start == .addend ? UnsafePointer(addend.start) : nil, output: output.start,
                        output_plane: output.plane, lanes: lanes,
                        low: limits == .both ? UnsafePointer(low.start) : nil,
                        high: limits == .none ? nil : UnsafePointer(high.start))
                    kernels.sparse(&arguments)
                }
                let worst = output.error { channel, _, lane in
                    var sum = start == .output ? before[channel][lane] : bias[channel]
                    if start == .addend { sum += addend[channel, 0, lane] }
                    for input0 in 0..<depth { sum += input[input0, 0, lane] * weights[channel * depth + input0] }
                    guard limits != .none else { return sum }
                    return min(max(sum, limits == .both ? low.start[lane] : 0), high.start[lane])
                }
                #expect(worst < 2e-5, "\(depth) to \(outputs), \(start), \(limits)")
            }
        }
    }

    @Test func `part of a matrix keeps its own rows and columns`() {
        let weights: [Float] = [1, 0, 2, 3, 0, 0, 0, 4, 5, 6, 7, 8]
        let part = SparseWeights(weights, depth: 4, outputs: 1..<3, inputs: 1..<4, plane: 16)
        let lists = (0..<2).map { part.lists[$0] }, taps = (0..<6).map { part.taps[$0] }
        #expect(lists.map(\.output) == [0, 1] && lists.map(\.taps) == [2, 4])
        #expect(taps.map(\.plane) == [128, 0, 0, 64, 128, 0] && taps.map(\.weight) == [4, 0, 6, 7, 8, 0])
    }

    @Test(arguments: levels, [0, 1])
    func `convolution of a picture of bytes by 3x3 windows, every second pixel`(level: KernelLevel, pad: Int) {
        let kernels = level.kernels
        var numbers = RandomNumbers()
        for (height, width, outputs) in [(2, 2, 1), (6, 10, 5), (8, 34, 8), (4, 224, 24)] {
            let rgb = (0..<height * width * 3).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 11) }
            let half = (width / 2 + 2 + 15) / 16 * 16 + 16, plane = (height + 2) * 2 * half
            let picture = AlignedMemory(count: 3 * plane), output = PlanarMapExample(height / 2, width / 2, outputs)
            // The kernel must clear the gutters, so fill them first.
            for index in 0..<output.memory.count { output.memory.start[index] = 9 }
            let weights = numbers.next(27 * outputs), bias = numbers.next(outputs)
            for y in 0..<height {
                let row = picture.start + (pad + y) * 2 * half + pad / 2
                Array(rgb[y * width * 3..<(y + 1) * width * 3]).withUnsafeBufferPointer { bytes in
                    guard let bytes = bytes.baseAddress else { return }
                    kernels.split_pixels(bytes, Int32(width), pad == 1, 2 / 255, -1, row, half, plane)
                }
            }
            weights.withUnsafeBufferPointer { weights in
                bias.withUnsafeBufferPointer { bias in
                    guard let weights = weights.baseAddress, let bias = bias.baseAddress else { return }
                    var arguments = ck_picture_convolution(
                        picture: picture.start, half_row: half, picture_plane: plane, first_row: 0,
                        rows: Int32(output.height), width: Int32(output.width), outputs: Int32(outputs),
                        weights: weights, bias: bias, output: output.start, output_row: output.row,
                        output_plane: output.plane, low: -1, high: 6)
                    kernels.convolve_picture(&arguments)
                }
            }
            let worst = output.error { channel, y, x in
                var sum = bias[channel]
                for (ky, kx) in (0..<9).map({ ($0 / 3, $0 % 3) }) {
                    let (row, column) = (2 * y - pad + ky, 2 * x - pad + kx)
                    guard 0..<height ~= row, 0..<width ~= column else { continue }
                    for plane in 0..<3 {
                        let value = Float(rgb[(row * width + column) * 3 + plane]) * 2 / 255 - 1
                        sum += value * weights[channel * 27 + (ky * 3 + kx) * 3 + plane]
                    }
                }
                return min(max(sum, -1), 6)
            }
            #expect(worst < 2e-5, "\(height) x \(width)")
            let gutters = (0..<output.height).map { output.start[$0 * output.row + output.width] }
            #expect(gutters.allSatisfy { $0 == 0 } && output.start[-1] == 0 && output.start[-2] == 0)
        }
    }

    @Test(arguments: levels, [(1, 1), (2, 5), (7, 7), (14, 14), (3, 33)])
    func `doubling by bilinear interpolation`(level: KernelLevel, size: (height: Int, width: Int)) {
        var numbers = RandomNumbers()
        let input = PlanarMapExample(size.height, size.width, 3).filled(&numbers)
        for withAddend in [false, true] {
            let addend = PlanarMapExample(2 * size.height, 2 * size.width, 3).filled(&numbers)
            let output = PlanarMapExample(2 * size.height, 2 * size.width, 3)
            var arguments = ck_planar_doubling(
                input: input.start, input_plane: input.plane, height: Int32(size.height), width: Int32(size.width),
                channels: 3, addend: withAddend ? UnsafePointer(addend.start) : nil, output: output.start,
                output_plane: output.plane, low: 0, high: 6)
            level.kernels.planar_double_and_add(&arguments)
            // Map the output pixel's centre to the input; the value is interpolated between its neighbours.
            func between(_ index: Int, _ count: Int) -> (Int, Int, Float) {
                let position = max(0, (Float(index) + 0.5) / 2 - 0.5)
                let low = min(Int(position), count - 1)
                return (low, min(low + 1, count - 1), position - Float(low))
            }
            let worst = output.error { channel, y, x in
                let (top, bottom, down) = between(y, size.height), (left, right, across) = between(x, size.width)
                let above = input[channel, top, left] * (1 - across) + input[channel, top, right] * across
                let below = input[channel, bottom, left] * (1 - across) + input[channel, bottom, right] * across
                return (withAddend ? addend[channel, y, x] : 0) + min(max(above * (1 - down) + below * down, 0), 6)
            }
            #expect(worst < 1e-6)
        }
    }
}
