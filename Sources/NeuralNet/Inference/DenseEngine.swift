import CKernels
import Foundation

/// Runs a graph node by node on channels-last maps.
package final class DenseEngine {
    private let kernels: ck_kernels
    private let lanes: Int
    private var memory: [Graph.Value: AlignedMemory] = [:]
    private var steps: [() -> Void] = []
    private let graph: Graph
    private let padded: AlignedMemory
    private let rowFloats: Int
    private let padTop: Int
    private let padLeft: Int

    package init(_ original: Graph, level: KernelLevel) {
        var graph = original
        graph.postponeDoublings()
        graph.joinAdditions()
        self.graph = graph
        kernels = level.kernels
        lanes = Int(kernels.lanes)
        let shape = graph.inputShape
        guard case .convolution(let first)? = graph.nodes.first?.operation else { preconditionFailure("no convolution first") }
        padTop = first.padTop
        padLeft = first.padLeft
        rowFloats = (shape.width + 2) * 3
        padded = AlignedMemory(count: (shape.height + 2) * rowFloats)
        for value in graph.shapes.keys where value != graph.input {
            memory[value] = AlignedMemory(count: graph.shape(value).pixels * stride(value))
        }
        for node in graph.nodes { steps.append(step(node)) }
    }

    private func stride(_ value: Graph.Value) -> Int { (graph.shape(value).channels + lanes - 1) / lanes * lanes }

    private func start(_ value: Graph.Value) -> UnsafeMutablePointer<Float> {
        guard let memory = memory[value] else { preconditionFailure("no memory") }
        return memory.start
    }

    /// Where row `y` of the input begins: interleaved RGB floats.
    package func inputRow(_ y: Int) -> UnsafeMutablePointer<Float> { padded.start + (y + padTop) * rowFloats + padLeft * 3 }

    package func run() { for step in steps { step() } }

    /// An output's values without padding.
    package func output(_ index: Int) -> [Float] {
        graph.outputs[index].parts.flatMap { value -> [Float] in
            let shape = graph.shape(value)
            let step = stride(value)
            let from = start(value)
            return (0..<shape.pixels).flatMap { p in (0..<shape.channels).map { from[p * step + $0] } }
        }
    }

    private func pack(_ window: Graph.Window, outputs: Int, depth: Int) -> AlignedMemory {
        let vectors = (outputs + lanes - 1) / lanes
        let memory = AlignedMemory(count: vectors * lanes * depth)
        var at = 0
        var first = 0
        while first < vectors {
            let panel = Int(ck_panel_vectors(kernels.level, Int32(vectors - first)))
            for k in 0..<depth {
                for j in 0..<panel * lanes {
                    let n = first * lanes + j
                    memory.start[at] = n < outputs ? window.weights[n * depth + k] : 0
                    at += 1
                }
            }
            first += panel
        }
        return memory
    }

    private func bias(_ values: [Float]) -> AlignedMemory {
        AlignedMemory(values + [Float](repeating: 0, count: (lanes - values.count % lanes) % lanes))
    }

    private func step(_ node: Graph.Node) -> () -> Void {
        let kernels = kernels
        let lanes = lanes
        let output = start(node.output)
        let shape = graph.shape(node.output)
        let out = stride(node.output)
        let low = node.activation.low
        let high = node.activation.high
        switch node.operation {
        case .convolution(let window):
            let isFirst = node.inputs[0] == graph.input
            let inputShape = graph.shape(node.inputs[0])
            let depth = window.height * window.width * inputShape.channels
            let weights = pack(window, outputs: shape.channels, depth: depth)
            let biases = bias(window.bias)
            let residual = node.inputs.count > 1 ? UnsafePointer(start(node.inputs[1])) : nil
            let source = isFirst ? UnsafePointer(padded.start) : UnsafePointer(start(node.inputs[0]))
            var c = ck_convolution(
                input: source, input_pixel_stride: isFirst ? window.stride * 3 : stride(node.inputs[0]),
                input_row_stride: isFirst ? rowFloats * window.stride : 0, segments: isFirst ? Int32(window.height) : 1,
                segment_stride: isFirst ? rowFloats : 0, depth: Int32(isFirst ? window.width * 3 : depth),
                weights: UnsafeRawPointer(weights.start), half_weights: false, bias: UnsafePointer(biases.start),
                output: output, residual: residual, output_pixel_stride: out, output_row_stride: out * shape.width,
                residual_row_stride: out * shape.width, rows: isFirst ? Int32(shape.height) : 1,
                pixels: isFirst ? Int32(shape.width) : Int32(shape.pixels), vectors: Int32(out / lanes), low: low, high: high)
            return { [weights, biases] in
                withExtendedLifetime((weights, biases)) { kernels.convolve(&c) }
            }
        case .depthwise(let window):
            let inputShape = graph.shape(node.inputs[0])
            let step = stride(node.inputs[0])
            let columns = max((shape.width - 1) * window.stride + window.width, inputShape.width + window.padLeft) + 8
            let ring = AlignedMemory(count: columns * step * inputShape.height)
            let zero = AlignedMemory(count: columns * step)
            let weights = AlignedMemory(count: window.height * window.width * step)
            for t in 0..<window.height * window.width {
                for ch in 0..<inputShape.channels { weights.start[t * step + ch] = window.weights[t * inputShape.channels + ch] }
            }
            let biases = bias(window.bias)
            var d = ck_depthwise(
                ring: UnsafePointer(ring.start), ring_stride: columns * step, ring_rows: Int32(inputShape.height),
                input_height: Int32(inputShape.height), zero_row: UnsafePointer(zero.start), kernel: Int32(window.height),
                stride: Int32(window.stride), pad_top: Int32(window.padTop), first_row: 0, rows: Int32(shape.height),
                width: Int32(shape.width), vectors: Int32(step / lanes), weights: UnsafePointer(weights.start),
                bias: UnsafePointer(biases.start), output: output, low: low, high: high)
            let source = start(node.inputs[0])
            return { [ring, zero, weights, biases] in
                withExtendedLifetime((ring, zero, weights, biases)) {
                    for y in 0..<inputShape.height {
                        (ring.start + y * columns * step + window.padLeft * step)
                            .update(from: source + y * inputShape.width * step, count: inputShape.width * step)
                    }
                    kernels.depthwise(&d)
                }
            }
        case .add:
            let (a, b) = (start(node.inputs[0]), start(node.inputs[1]))
            return { kernels.add(a, b, output, shape.pixels * out, low, high) }
        case .double:
            let inputShape = graph.shape(node.inputs[0])
            var d = ck_doubling(
                input: UnsafePointer(start(node.inputs[0])), height: Int32(inputShape.height),
                width: Int32(inputShape.width), vectors: Int32(out / lanes), first_row: 0, last_row: Int32(shape.height),
                first_column: 0, last_column: Int32(inputShape.width),
                addend: node.inputs.count > 1 ? UnsafePointer(start(node.inputs[1])) : nil, output: output, low: low,
                high: high)
            return { kernels.double_and_add(&d) }
        case .maxPool:
            let inputShape = graph.shape(node.inputs[0])
            let source = start(node.inputs[0])
            return { kernels.max_pool(source, Int32(inputShape.height), Int32(inputShape.width), Int32(out / lanes), output) }
        case .depthToSpace:
            let inputShape = graph.shape(node.inputs[0])
            let step = stride(node.inputs[0])
            let source = start(node.inputs[0])
            return {
                for y in 0..<inputShape.height { for x in 0..<inputShape.width { for q in 0..<4 {
                    let to = output + ((2 * y + q / 2) * shape.width + 2 * x + q % 2) * out
                    to.update(from: source + (y * inputShape.width + x) * step + q * shape.channels, count: shape.channels)
                } } }
            }
        case .sigmoid:
            let source = start(node.inputs[0])
            return { for i in 0..<shape.pixels * out { output[i] = 1 / (1 + exp(-source[i])) } }
        }
    }
}
