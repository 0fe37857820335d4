import CKernels

/// Builds the steps of a `PlanarNetwork`: sparse weights, and kernel arguments with their final pointers.
struct PlanarBuilder {
    let graph: Graph
    let plan: PlanarPlan
    let kernels: ck_kernels
    private(set) var steps: [PlanarStep] = []
    private(set) var memories: [AlignedMemory] = []
    private(set) var picture: PlanarPicture?
    /// Floats for the tiles of the largest block.
    private(set) var wideCount = 0, filteredCount = 0
    private let values: AlignedMemory
    private var limits: [LimitKey: AlignedMemory] = [:]

    private struct LimitKey: Hashable {
        let shape: PlanarShape
        let value: Float
    }

    init(_ graph: Graph, plan: PlanarPlan, kernels: ck_kernels) {
        self.graph = graph
        self.plan = plan
        self.kernels = kernels
        values = AlignedMemory(count: plan.memory.count, inLargePages: true)
        memories = [values]
    }

    func map(_ value: Graph.Value) -> PlanarMap {
        guard let offset = plan.memory.offset(value) else {
            preconditionFailure("a value that other steps read has no place in memory")
        }
        return PlanarMap(
            start: values.start + offset + PlanarPlan.margin, plane: PlanarShape(graph.shape(value)).plane)
    }

    mutating func append(_ group: PlanarPlan.Group) throws(ModelError) {
        switch group {
        case .block(let block): steps.append(.block(try self.block(block)))
        case .single(let node): steps.append(try step(node))
        }
    }

    private func unsupported(_ reason: String) -> ModelError { .unsupported(file: graph.file, reason: reason) }

    /// Copies values to aligned memory that the network will own.
    private mutating func copy(_ values: [Float]) -> UnsafePointer<Float> {
        let memory = AlignedMemory(values)
        memories.append(memory)
        return UnsafePointer(memory.start)
    }

    private mutating func step(_ node: Graph.Node) throws(ModelError) -> PlanarStep {
        guard node.inputs.allSatisfy({ $0 != graph.input }) else {
            throw unsupported("its first layers are not a convolution of the picture and a depthwise one")
        }
        let shape = graph.shape(node.inputs[0]), input = map(node.inputs[0]), output = map(node.output)
        switch node.operation {
        case .convolution(let window) where window.isPointwise:
            let weights = try window.weights.values()
            let groups = (0..<shape.channels).split(most: PlanarSizes.maximumInputs).map { inputs in
                (
                    firstInput: inputs.lowerBound,
                    weights: sparse(weights, of: graph.shape(node.output), inputs: inputs, plane: input.plane)
                )
            }
            guard
                let arguments = pointwise(
                    node, window, input: UnsafePointer(input.start), weights: groups.first?.weights,
                    masked: plan.windowed.contains(node.output))
            else { throw unsupported("a layer has no inputs") }
            return .pointwise(
                PlanarPointwise(arguments: arguments, groups: groups, inputPlane: input.plane, stripLanes: 128))
        case .double:
            return .double(
                ck_planar_doubling(
                    input: input.start, input_plane: input.plane, height: Int32(shape.height),
                    width: Int32(shape.width), channels: Int32(shape.channels),
                    addend: node.inputs.count > 1 ? UnsafePointer(map(node.inputs[1]).start) : nil,
                    output: output.start, output_plane: output.plane, low: node.activation.low,
                    high: node.activation.high))
        default:
            throw unsupported("the channel-planar engine has no \(node.operation.name) on its own")
        }
    }

    private func sparse(
        _ weights: [Float], of shape: MapShape, outputs: Range<Int>? = nil, inputs: Range<Int>, plane: Int
    ) -> SparseWeights {
        SparseWeights(
            weights, depth: weights.count / shape.channels, outputs: outputs ?? 0..<shape.channels,
            inputs: inputs, plane: plane)
    }

    /// Arguments of a pointwise convolution over the whole map, with the first group's weights.
    private mutating func pointwise(
        _ node: Graph.Node, _ window: Graph.Window, input: UnsafePointer<Float>, weights: SparseWeights?, masked: Bool
    ) -> ck_sparse? {
        guard let weights else { return nil }
        let shape = PlanarShape(graph.shape(node.output)), activation = node.activation
        let isLimited = activation != .none || masked
        return ck_sparse(
            input: input, lists: weights.lists, list_count: weights.listCount, taps: weights.taps,
            bias: copy(window.bias), addend: node.inputs.count > 1 ? UnsafePointer(map(node.inputs[1]).start) : nil,
            output: values.start + (plan.memory.offset(node.output).map { $0 + PlanarPlan.margin } ?? 0),
            output_plane: shape.plane, lanes: shape.lanes.roundedUp(to: Int(kernels.lanes)),
            low: isLimited && activation.low != 0 ? limit(shape, activation.low) : nil,
            high: isLimited ? limit(shape, activation.high) : nil)
    }

    /// A limit for every lane of a map. It is 0 in the gutters, so that they stay zero.
    private mutating func limit(_ shape: PlanarShape, _ value: Float) -> UnsafePointer<Float> {
        let key = LimitKey(shape: shape, value: value)
        if let known = limits[key] { return UnsafePointer(known.start) }
        let memory = AlignedMemory(count: shape.plane)
        for y in 0..<shape.height {
            (memory.start + y * shape.row).update(repeating: value, count: shape.width)
        }
        limits[key] = memory
        memories.append(memory)
        return UnsafePointer(memory.start)
    }
}

extension PlanarBuilder {
    private mutating func block(_ block: PlanarPlan.Block) throws(ModelError) -> PlanarBlock {
        guard case .depthwise(let window) = block.depthwise.operation else {
            preconditionFailure("a block stands around a depthwise convolution")
        }
        let shape = graph.shape(block.depthwise.inputs[0]), outputShape = graph.shape(block.depthwise.output)
        let reach = (outputShape.width - 1) * window.stride + window.width - window.padLeft
        guard window.padLeft <= PlanarShape.gutter, reach <= shape.width + PlanarShape.gutter else {
            throw unsupported("a window reaches more than \(PlanarShape.gutter) pixels over the edge")
        }
        let sizes = PlanarSizes(input: shape, output: outputShape, window: window, isTiled: block.expand != nil)
        wideCount = max(
            wideCount, block.expand == nil ? 0 : sizes.widePlane * (sizes.groups.map(\.count).max() ?? 0) + 64)
        filteredCount = max(filteredCount, sizes.filteredPlane * (sizes.groups.map(\.count).max() ?? 0) + 64)
        let groups = try groups(block, sizes)
        let source = try source(block, weights: groups.first?.expand)
        var project: ck_sparse?
        if let node = block.project, case .convolution(let window) = node.operation {
            project = pointwise(
                node, window, input: values.start, weights: groups.first?.project,
                masked: plan.windowed.contains(node.output))
        }
        return PlanarBlock(
            source: source, depthwise: try depthwise(block, window),
            quarter: block.spread.map { map($0).plane * shape.channels }, project: project,
            output: map((block.project ?? block.depthwise).output), outputShape: sizes.output, groups: groups,
            strips: sizes.strips, widePlane: sizes.widePlane, filteredPlane: sizes.filteredPlane)
    }

    private func groups(_ block: PlanarPlan.Block, _ sizes: PlanarSizes) throws(ModelError) -> [PlanarBlock.Group] {
        var groups = sizes.groups.map { PlanarBlock.Group(channels: $0) }
        if let expand = block.expand, case .convolution(let window) = expand.operation, window.isPointwise {
            let input = graph.shape(expand.inputs[0]), weights = try window.weights.values()
            for index in groups.indices {
                groups[index].expand = sparse(
                    weights, of: graph.shape(expand.output), outputs: groups[index].channels,
                    inputs: 0..<input.channels, plane: PlanarShape(input).plane)
            }
        }
        if let project = block.project, case .convolution(let window) = project.operation {
            let weights = try window.weights.values()
            for index in groups.indices {
                groups[index].project = sparse(
                    weights, of: graph.shape(project.output), inputs: groups[index].channels,
                    plane: sizes.filteredPlane)
            }
        }
        return groups
    }

    private mutating func source(
        _ block: PlanarPlan.Block, weights: SparseWeights?
    ) throws(ModelError) -> PlanarBlock.Source {
        guard let expand = block.expand, case .convolution(let window) = expand.operation else {
            let value = block.spread ?? block.depthwise.inputs[0]
            guard value != graph.input else { throw unsupported("its first layer is not a convolution") }
            return .map(map(value))
        }
        if window.isPointwise {
            let input = UnsafePointer(map(expand.inputs[0]).start)
            guard let arguments = pointwise(expand, window, input: input, weights: weights, masked: true) else {
                throw unsupported("a layer has no inputs")
            }
            return .pointwise(arguments)
        }
        guard window.height == 3, window.width == 3, window.stride == 2, graph.inputShape.channels == 3, picture == nil
        else { throw unsupported("its first layer does not visit every second pixel with 3x3 windows") }
        let shape = graph.shape(expand.output)
        let picture = PlanarPicture(graph.inputShape, window, output: shape)
        self.picture = picture
        memories.append(picture.memory)
        return .picture(
            ck_picture_convolution(
                picture: picture.memory.start, half_row: picture.halfRow, picture_plane: picture.plane, first_row: 0,
                rows: 0, width: Int32(shape.width), outputs: 0, weights: copy(try window.weights.values()),
                bias: copy(window.bias),
                output: values.start, output_row: PlanarShape(shape).row, output_plane: 0, low: expand.activation.low,
                high: expand.activation.high))
    }

    private mutating func depthwise(_ block: PlanarPlan.Block, _ window: Graph.Window) throws(ModelError)
        -> ck_planar_depthwise
    {
        let node = block.depthwise, shape = graph.shape(node.output)
        let input = PlanarShape(graph.shape(block.spread ?? node.inputs[0]))
        let taps = window.height * window.width, channels = shape.channels
        // The file stores all channels of a tap together; the kernel reads all taps of a channel together.
        let tapsFirst = try window.weights.values()
        let weights = (0..<channels * taps).map { tapsFirst[$0 % taps * channels + $0 / taps] }
        return ck_planar_depthwise(
            input: values.start, input_first_row: 0, input_height: Int32(input.height), input_row: input.row,
            input_plane: 0, kernel: Int32(window.height), stride: Int32(window.stride), pad_top: Int32(window.padTop),
            pad_left: Int32(window.padLeft), first_row: 0, rows: 0, width: Int32(shape.width),
            channels: Int32(channels), weights: copy(weights), bias: copy(window.bias), output: values.start,
            output_row: PlanarShape(shape).row, output_plane: 0, low: node.activation.low, high: node.activation.high)
    }
}
