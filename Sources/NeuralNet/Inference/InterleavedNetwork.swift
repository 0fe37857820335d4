import CKernels
import Foundation

/// A network with the channels of a pixel side by side, rounded up to whole vectors.
///
/// Convolutions are packed matrix products that read their pixels in place; blocks of pointwise and depthwise ones run
/// over strips of rows that stay in the cache. Owns its weights and scratch memory; one run at a time.
public final class InterleavedNetwork {
    package let inputShape: MapShape
    let kernels: ck_kernels
    /// The last ones, as many as ``deferredCount``, run only in the areas that ``Deferred/areas`` names.
    private let steps: [InterleavedStep]
    private let deferredCount: Int
    private let deferred: Deferred?
    private let deferredShape: MapShape
    private let pictureLayout: PictureLayout
    /// Everything the steps point into.
    private let weights: WeightStore
    private let memories: [AlignedMemory]
    private let outputs: [[OutputPart]]
    /// What each step is, for reports.
    package let layers: [NetworkLayer]

    /// An output of which only parts are wanted, and which parts follows from the others.
    package struct Deferred {
        /// Its number; a single map of even height and width.
        let output: Int
        /// Called when all other outputs are there.
        let areas: (InterleavedNetwork) -> [MapArea]

        package init(output: Int, areas: @escaping (InterleavedNetwork) -> [MapArea]) {
            self.output = output
            self.areas = areas
        }
    }

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

    /// Prepares a graph to be run, packs weights and allocates all memory: networks that can run at the same time, with
    /// one set of weights.
    ///
    /// - Parameters:
    ///   - members: most threads of a team that will run one of them.
    ///   - deferred: an output that need not be computed whole; elsewhere it keeps what an earlier run left.
    /// - Throws: ``ModelError/unsupported(file:reason:)`` for a layer this engine has no kernel for.
    package static func copies(
        _ count: Int, of graph: Graph, kernels: KernelLevel, members: Int, deferred: Deferred?
    ) throws(ModelError) -> [InterleavedNetwork] {
        let graph = graph.rewritten(), weights = WeightStore()
        var copies: [InterleavedNetwork] = []
        for _ in 0..<count {
            copies.append(try .init(rewritten: graph, kernels.kernels, weights, members: members, deferred))
        }
        return copies
    }

    private init(
        rewritten graph: Graph, _ kernels: ck_kernels, _ weights: WeightStore, members: Int, _ deferred: Deferred?
    ) throws(ModelError) {
        let deferredValue = deferred.map { graph.outputs[$0.output].parts[0] }
        deferredShape = deferredValue.map(graph.shape) ?? graph.inputShape
        let plan = InterleavedPlan(graph, lanes: Int(kernels.lanes), deferred: deferredValue)
        var builder = InterleavedBuilder(graph, plan: plan, kernels: kernels, weights: weights, members: members)
        for group in plan.groups { try builder.append(group) }
        inputShape = graph.inputShape
        self.kernels = kernels
        steps = builder.steps
        deferredCount = plan.deferredCount
        self.deferred = deferred
        pictureLayout = builder.pictureLayout
        outputs = graph.outputs.map { $0.parts.map(builder.part) }
        self.weights = weights
        memories = builder.memories
        layers = plan.groups.enumerated().map { index, group in
            let inParts = index >= plan.groups.count - plan.deferredCount
            return NetworkLayer(
                name: group.nodes.map(\.operation.name).joined(separator: "+") + " \(graph.shape(group.output))"
                    + (inParts ? " in parts" : ""),
                // What a part costs depends on the picture.
                megaMultiplications: inParts ? 0 : group.nodes.reduce(0) { $0 + graph.megaMultiplications($1) })
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

    /// Computes all outputs, with a team of at most as many members as were planned for.
    package func run(_ team: ThreadTeam? = nil) {
        perform(steps.dropLast(deferredCount), team)
        guard let deferred else { return }
        perform(steps.suffix(deferredCount), in: wanted(deferred), team)
    }

    /// Computes all outputs and says how long each of ``layers`` took.
    package func timedRun(_ team: ThreadTeam? = nil) -> [Duration] {
        let clock = ContinuousClock()
        let whole = steps.dropLast(deferredCount).map { step in clock.measure { perform([step], team) } }
        guard let deferred else { return whole }
        let areas = wanted(deferred)
        return whole + steps.suffix(deferredCount).map { step in clock.measure { perform([step], in: areas, team) } }
    }

    private func perform(_ steps: ArraySlice<InterleavedStep>, _ team: ThreadTeam?) {
        share(team) { [kernels] member in
            for step in steps {
                step.run(kernels, member)
                member.meet()
            }
        }
    }

    private func perform(_ steps: ArraySlice<InterleavedStep>, in areas: [MapArea], _ team: ThreadTeam?) {
        let width = deferredShape.width
        share(team) { [kernels] member in
            for index in stride(from: member.index, to: areas.count, by: member.count) {
                for step in steps { step.run(kernels, in: areas[index], width: width, member) }
            }
        }
    }

    private func share(_ team: ThreadTeam?, _ work: @escaping (ThreadTeam.Member) -> Void) {
        if let team { team.perform(work) } else { work(.alone) }
    }

    private func wanted(_ deferred: Deferred) -> [MapArea] {
        let areas = deferred.areas(self)
        precondition(
            areas.allSatisfy {
                $0.rows.upperBound <= deferredShape.height && $0.columns.upperBound <= deferredShape.width
                    && $0.rows.lowerBound >= 0 && $0.columns.lowerBound >= 0
            }, "an area lies outside its map")
        return areas
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
