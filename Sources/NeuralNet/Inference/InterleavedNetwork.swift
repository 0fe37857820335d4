import CKernels
import Foundation

/// A network with the channels of a pixel side by side, rounded up to whole vectors.
///
/// Convolutions are packed matrix products that read their pixels in place; blocks of pointwise and depthwise ones run
/// over strips of rows that stay in the cache. Owns its weights and scratch memory; one run at a time.
public final class InterleavedNetwork {
    package let inputShape: MapShape
    let kernels: ck_kernels
    let steps: [InterleavedStep]
    private let pictureLayout: PictureLayout
    /// Everything the steps point into.
    private let memories: [AlignedMemory]
    private let outputs: [[OutputPart]]
    /// What each step is, for reports.
    package let layers: [NetworkLayer]

    /// Part of an output as it stands in memory.
    struct OutputPart {
        let start: UnsafePointer<Float>
        let pixels, channels, pixelStride: Int
    }

    /// An output that is one map, read in place; the next run writes over it.
    package struct Map {
        private let part: OutputPart
        /// The map lies in its network's memory.
        private let network: InterleavedNetwork

        fileprivate init(_ part: OutputPart, of network: InterleavedNetwork) {
            self.part = part
            self.network = network
        }

        package subscript(pixel: Int, channel: Int) -> Float {
            precondition(0..<part.pixels ~= pixel && 0..<part.channels ~= channel, "outside the map")
            return part.start[pixel * part.pixelStride + channel]
        }
    }

    /// Prepares a graph to be run: packs weights, allocates all memory.
    ///
    /// - Throws: ``ModelError/unsupported(file:reason:)`` for a layer this engine has no kernel for.
    package init(_ graph: Graph, kernels level: KernelLevel) throws(ModelError) {
        var graph = graph
        graph.postponeDoublings()
        graph.joinAdditions()
        let plan = InterleavedPlan(graph, lanes: Int(level.kernels.lanes))
        var builder = InterleavedBuilder(graph, plan: plan, kernels: level.kernels)
        for group in plan.groups { try builder.append(group) }
        inputShape = graph.inputShape
        kernels = level.kernels
        steps = builder.steps
        pictureLayout = builder.pictureLayout
        outputs = graph.outputs.map { $0.parts.map(builder.part) }
        memories = builder.memories
        layers = plan.groups.map { group in
            NetworkLayer(
                name: group.nodes.map(\.operation.name).joined(separator: "+") + " \(graph.shape(group.output))",
                megaMultiplications: group.nodes.reduce(0) { $0 + graph.megaMultiplications($1) })
        }
    }

    /// Sets the input from an RGB picture of exactly the input's size: `value = byte * scale + offset`.
    package func setPicture(_ rgb: [UInt8], scale: Float, offset: Float) {
        let shape = inputShape
        precondition(rgb.count == shape.pixels * 3, "the picture must have the size of the network's input")
        pictureLayout.write(rgb, scale: scale, offset: offset, kernels)
    }

    /// Sets the input from floats, `[height, width, 3]`.
    package func setInput(_ values: [Float]) {
        precondition(values.count == inputShape.pixels * 3, "the input must have the size the network asks for")
        pictureLayout.write(values)
    }

    /// Computes all outputs.
    package func run() {
        for step in steps { step.run(kernels) }
    }

    /// Computes all outputs and says how long each of ``layers`` took.
    package func timedRun() -> [Duration] {
        steps.map { step in ContinuousClock().measure { step.run(kernels) } }
    }

    /// An output that is not put together from several parts.
    package func map(_ index: Int) -> Map {
        precondition(outputs[index].count == 1, "the output is no single map")
        return Map(outputs[index][0], of: self)
    }

    /// An output's numbers, in the order of the file.
    package func output(_ index: Int) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(outputs[index].reduce(0) { $0 + $1.pixels * $1.channels })
        for part in outputs[index] {
            for pixel in 0..<part.pixels {
                // Within the value's place in memory by its shape.
                values.append(
                    contentsOf: UnsafeBufferPointer(start: part.start + pixel * part.pixelStride, count: part.channels))
            }
        }
        return values
    }
}
