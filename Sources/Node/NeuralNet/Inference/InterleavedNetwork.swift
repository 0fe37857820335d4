import CKernels
import Foundation

/// The dense engine, used for the landmark network: a network with the channels of a pixel side by side (channels
/// last), padded to whole vectors.
///
/// Convolutions are packed matrix products that read their pixels in place. Blocks of pointwise and depthwise
/// convolutions run in strips of rows that stay in the cache. A network owns its scratch memory and shares its weights
/// with its copies. Only one run at a time is allowed.
///
/// See ``PlanarNetwork`` for the sparse engine.
public final class InterleavedNetwork {
    /// Shape of the input picture.
    package let inputShape: MapShape
    let kernels: ck_kernels
    /// The last ``deferredCount`` steps run only in the areas that ``Deferred/areas`` returns.
    private let steps: [InterleavedStep]
    private let deferredCount: Int
    private let deferred: Deferred?
    private let deferredShape: MapShape
    private let pictureLayout: PictureLayout
    /// Memory that the steps point into.
    private let weights: WeightStore
    private let memories: [AlignedMemory]
    private let outputs: [[OutputPart]]
    /// One description per step, for reports.
    package let layers: [NetworkLayer]

    /// An output of which only some areas are needed. The other outputs determine which.
    package struct Deferred {
        /// Index of the output, a single map of even height and width.
        let output: Int
        /// Returns the needed areas. Called after all other outputs have been computed.
        let areas: (InterleavedNetwork) -> [MapArea]

        /// An output by its index, and the function that returns its needed areas.
        package init(output: Int, areas: @escaping (InterleavedNetwork) -> [MapArea]) {
            self.output = output
            self.areas = areas
        }
    }

    /// Part of an output in memory.
    struct OutputPart {
        let start: UnsafeRawPointer
        let pixels, channels: Int
        /// Bytes from one pixel to the next.
        let pixelStride: Int
        let isHalf: Bool

        /// One number of the output. The output's place in memory was sized by its shape.
        func value(_ pixel: Int, _ channel: Int) -> Float {
            let start = start + pixel * pixelStride
            return isHalf
                ? Float(start.loadUnaligned(fromByteOffset: channel * 2, as: Float16.self))
                : start.loadUnaligned(fromByteOffset: channel * 4, as: Float.self)
        }
    }

    /// An output that is a single map, read in place. The next run overwrites it.
    package struct Map {
        private let part: OutputPart
        /// Keeps the map's memory alive.
        private let network: InterleavedNetwork

        fileprivate init(_ part: OutputPart, of network: InterleavedNetwork) {
            self.part = part
            self.network = network
        }

        /// The value of a channel at a pixel; pixels are counted row by row.
        package subscript(pixel: Int, channel: Int) -> Float {
            precondition(0..<part.pixels ~= pixel && 0..<part.channels ~= channel, "outside the map")
            return part.value(pixel, channel)
        }
    }

    /// Prepares a graph to be run: packs weights and allocates all memory. The returned networks can run at the same
    /// time and share one set of weights.
    ///
    /// - Parameters:
    ///   - members: the largest team that will run one of them.
    ///   - deferred: an output that is computed only in parts. The rest of it keeps the values of earlier runs.
    /// - Throws: ``ModelError/unsupported(file:reason:)`` for a layer without a kernel in this engine.
    package static func copies(
        _ count: Int, of graph: Graph, kernels: KernelLevel, members: Int, deferred: Deferred?
    ) throws(ModelError) -> [InterleavedNetwork] {
        let graph = graph.rewritten(), weights = WeightStore()
        var copies: [InterleavedNetwork] = []
        for _ in 0..<count {
            copies.append(try .init(rewritten: graph, kernels.denseKernels, weights, members: members, deferred))
        }
        return copies
    }

    private init(
        rewritten graph: Graph, _ kernels: ck_kernels, _ weights: WeightStore, members: Int, _ deferred: Deferred?
    ) throws(ModelError) {
        let deferredValue = deferred.map { graph.outputs[$0.output].parts[0] }
        deferredShape = deferredValue.map(graph.shape) ?? graph.inputShape
        let plan = InterleavedPlan(graph, kernels, deferred: deferredValue)
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
                // The cost of a partly computed layer depends on the picture.
                megaMultiplications: inParts ? 0 : group.nodes.reduce(0) { $0 + graph.megaMultiplications($1) })
        }
    }

    /// Sets some rows of the input from an RGB picture, with `value = byte * scale + offset`. Several threads may set
    /// different rows at the same time.
    ///
    /// - Parameter rgb: the first row of a picture of exactly the input's size.
    package func setRows(_ rows: Range<Int>, of rgb: UnsafePointer<UInt8>, scale: Float, offset: Float) {
        precondition(0 <= rows.lowerBound && rows.upperBound <= inputShape.height, "the rows lie outside the picture")
        pictureLayout.write(rgb, rows: rows, scale: scale, offset: offset, kernels)
    }

    /// Sets the input from floats, `[height, width, 3]`.
    package func setInput(_ values: [Float]) {
        precondition(values.count == inputShape.pixels * 3, "the input must have the size the network asks for")
        pictureLayout.write(values, kernels)
    }

    /// Computes all outputs.
    ///
    /// - Parameter team: at most as many members as the network was planned for; `nil` for the calling thread alone.
    package func run(_ team: ThreadTeam? = nil) {
        perform(steps.dropLast(deferredCount), team)
        guard let deferred else { return }
        perform(steps.suffix(deferredCount), in: wanted(deferred), team)
    }

    /// Computes all outputs and returns the time of each of ``layers``.
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

    /// An output that is a single map.
    package func map(_ index: Int) -> Map {
        precondition(outputs[index].count == 1, "the output is no single map")
        return Map(outputs[index][0], of: self)
    }

    /// All numbers of an output, in the order of the file.
    package func output(_ index: Int) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(outputs[index].reduce(0) { $0 + $1.pixels * $1.channels })
        for part in outputs[index] {
            for pixel in 0..<part.pixels {
                for channel in 0..<part.channels { values.append(part.value(pixel, channel)) }
            }
        }
        return values
    }
}
