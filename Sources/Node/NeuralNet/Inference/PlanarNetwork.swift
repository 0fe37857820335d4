import CKernels
import Foundation

/// The sparse engine, used for the detector: a network over channel-planar maps whose pointwise convolutions skip
/// weights that are zero.
///
/// It suits networks most of whose weights are zero, such as BlazePose's detector. A network owns its weights and
/// scratch memory. Only one run at a time is allowed. The input must be finite, as one made from bytes always is.
///
/// See ``InterleavedNetwork`` for the dense engine.
public final class PlanarNetwork {
    /// Shape of the input picture.
    package let inputShape: MapShape
    let kernels: ck_kernels
    let steps: [PlanarStep]
    private let picture: PlanarPicture
    private let scratch: PlanarScratch
    /// Memory that the steps point into.
    private let memories: [AlignedMemory]
    private let outputs: [[OutputPart]]
    /// One description per step, for reports. Multiplications by zero weights are counted although they are skipped.
    package let layers: [NetworkLayer]

    private struct OutputPart {
        let map: PlanarMap
        let shape: MapShape
    }

    /// Prepares a graph to be run: packs weights and allocates all memory.
    ///
    /// - Throws: ``ModelError/unsupported(file:reason:)`` for a layer without a kernel in this engine.
    package init(_ graph: Graph, kernels level: KernelLevel) throws(ModelError) {
        let graph = graph.rewritten()
        let plan = PlanarPlan(graph)
        var builder = PlanarBuilder(graph, plan: plan, kernels: level.kernels)
        for group in plan.groups { try builder.append(group) }
        guard let picture = builder.picture else {
            throw .unsupported(file: graph.file, reason: "no layer reads the picture")
        }
        let tiles = AlignedMemory(count: builder.wideCount + builder.filteredCount, inLargePages: true)
        scratch = PlanarScratch(wide: tiles.start, filtered: tiles.start + builder.wideCount)
        self.picture = picture
        inputShape = graph.inputShape
        kernels = level.kernels
        steps = builder.steps
        outputs = graph.outputs.map { $0.parts.map { OutputPart(map: builder.map($0), shape: graph.shape($0)) } }
        memories = builder.memories + [tiles]
        layers = plan.groups.map { group in
            NetworkLayer(
                name: group.nodes.map(\.operation.name).joined(separator: "+") + " \(graph.shape(group.output))",
                megaMultiplications: group.nodes.reduce(0) { $0 + graph.megaMultiplications($1) })
        }
    }

    /// Sets some rows of the input from an RGB picture, with `value = byte * scale + offset`. Several threads may set
    /// different rows at the same time.
    ///
    /// - Parameter rgb: the first row of a picture of exactly the input's size.
    package func setRows(_ rows: Range<Int>, of rgb: UnsafePointer<UInt8>, scale: Float, offset: Float) {
        precondition(0 <= rows.lowerBound && rows.upperBound <= inputShape.height, "the rows lie outside the picture")
        picture.write(rgb, rows: rows, scale: scale, offset: offset, kernels)
    }

    /// Sets the input from finite floats, `[height, width, 3]`.
    package func setInput(_ values: [Float]) {
        precondition(values.count == inputShape.pixels * 3, "the input must have the size the network asks for")
        picture.write(values)
    }

    /// Computes all outputs.
    package func run() {
        for step in steps { step.run(kernels, scratch) }
    }

    /// Computes all outputs and returns the time of each of ``layers``.
    package func timedRun() -> [Duration] {
        steps.map { step in ContinuousClock().measure { step.run(kernels, scratch) } }
    }

    /// All numbers of an output, in the order of the file.
    package func output(_ index: Int) -> [Float] {
        let count = outputs[index].reduce(0) { $0 + $1.shape.pixels * $1.shape.channels }
        return [Float](unsafeUninitializedCapacity: count) { values, filled in
            for part in outputs[index] {
                let row = PlanarShape(part.shape).row, channels = part.shape.channels
                for channel in 0..<channels {
                    let plane = part.map.start + channel * part.map.plane
                    for y in 0..<part.shape.height {
                        for x in 0..<part.shape.width {
                            values[filled + (y * part.shape.width + x) * channels + channel] = plane[y * row + x]
                        }
                    }
                }
                filled += part.shape.pixels * channels
            }
        }
    }
}
