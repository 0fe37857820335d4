import CKernels

/// Builds the steps of an `InterleavedNetwork`: packed weights, and kernel arguments with their final pointers.
struct InterleavedBuilder {
    let graph: Graph
    let plan: InterleavedPlan
    let kernels: ck_kernels
    private(set) var steps: [InterleavedStep] = []
    /// Memory that the steps point into.
    let memories: [AlignedMemory]
    let pictureLayout: PictureLayout
    private let weights: WeightStore
    private let members: Int
    private let values: AlignedMemory
    private let ring: AlignedMemory
    private let strip: AlignedMemory
    private let zeros: AlignedMemory
    private let pictureRow: Int

    /// - Parameter members: the largest team that will run the network.
    init(_ graph: Graph, plan: InterleavedPlan, kernels: ck_kernels, weights: WeightStore, members: Int) {
        self.graph = graph
        self.plan = plan
        self.kernels = kernels
        self.weights = weights
        self.members = members
        let sizes = plan.groups.compactMap { BlockSizes($0, graph, lanes: Int(kernels.lanes)) }
        values = AlignedMemory(count: plan.memory.count)
        ring = AlignedMemory(count: (sizes.map { $0.ringRows * $0.ringStride }.max() ?? 0) * members)
        strip = AlignedMemory(count: (sizes.map { $0.stripRows * $0.output.width * $0.pixel }.max() ?? 0) * members)
        zeros = AlignedMemory(count: sizes.map(\.ringStride).max() ?? 0)
        // One zero pixel on each side is enough for every window that reads the picture; see `convolution`.
        let shape = graph.inputShape
        pictureRow = (shape.width + 2) * shape.channels
        let picture = AlignedMemory(count: (shape.height + 2) * pictureRow)
        pictureLayout = PictureLayout(
            start: picture.start + pictureRow + shape.channels, height: shape.height, width: shape.width,
            row: pictureRow)
        memories = [values, ring, strip, zeros, picture]
    }

    func part(of value: Graph.Value) -> InterleavedNetwork.OutputPart {
        let shape = graph.shape(value)
        return .init(
            start: place(value), pixels: shape.pixels, channels: shape.channels, pixelStride: pixel(shape))
    }

    mutating func append(_ group: InterleavedPlan.Group) throws(ModelError) {
        switch group {
        case .block(let expand, let depthwise, let project):
            steps.append(.block(try block(group, expand: expand, depthwise: depthwise, project: project)))
        case .single(let node):
            steps.append(try step(node))
        }
    }

    private func place(_ value: Graph.Value) -> UnsafeMutablePointer<Float> {
        guard let offset = plan.memory.offset(value) else {
            preconditionFailure("a value that other steps read has no place in memory")
        }
        return values.start + offset
    }

    /// Floats per pixel of a map.
    private func pixel(_ shape: MapShape) -> Int { shape.channels.roundedUp(to: Int(kernels.lanes)) }

    private func step(_ node: Graph.Node) throws(ModelError) -> InterleavedStep {
        let output = place(node.output), shape = graph.shape(node.output)
        let inputShape = graph.shape(node.inputs[0])
        if case .convolution(let window) = node.operation {
            return .convolution(try convolution(node, window, output: output))
        }
        guard node.inputs[0] != graph.input else {
            throw .unsupported(file: graph.file, reason: "its first layer is not a convolution")
        }
        let input = place(node.inputs[0])
        let map = InterleavedStep.MapArguments(
            input: input, height: inputShape.height, width: inputShape.width, pixel: pixel(inputShape),
            output: output)
        switch node.operation {
        case .convolution, .depthwise: preconditionFailure("convolutions are no plain steps")
        case .add:
            return .add(
                .init(
                    a: input, b: place(node.inputs[1]), output: output, count: shape.pixels * pixel(shape),
                    low: node.activation.low, high: node.activation.high))
        case .double:
            return .double(
                ck_doubling(
                    input: input, height: Int32(inputShape.height), width: Int32(inputShape.width),
                    vectors: Int32(pixel(shape)) / kernels.lanes, first_row: 0, last_row: Int32(shape.height),
                    first_column: 0, last_column: Int32(inputShape.width),
                    addend: node.inputs.count > 1 ? UnsafePointer(place(node.inputs[1])) : nil, output: output,
                    low: node.activation.low, high: node.activation.high))
        case .maxPool: return .maxPool(map)
        case .depthToSpace:
            throw .unsupported(
                file: graph.file, reason: "the channels-last engine does not spread channels over pixels")
        case .sigmoid: return .sigmoid(input, output, count: shape.pixels * pixel(shape))
        }
    }
}

extension InterleavedBuilder {
    /// A convolution outside a block: of the picture, pointwise, or one window over a whole map.
    private func convolution(
        _ node: Graph.Node, _ window: Graph.Window, output: UnsafeMutablePointer<Float>
    ) throws(ModelError) -> ck_convolution {
        let shape = graph.shape(node.output), inputShape = graph.shape(node.inputs[0])
        var arguments = try pointwise(node, window, output: output)
        if node.inputs[0] == graph.input {
            guard window.padTop <= 1, window.padLeft <= 1, inputShape.channels == 3,
                (shape.height - 1) * window.stride + window.height - window.padTop <= inputShape.height + 1,
                (shape.width - 1) * window.stride + window.width - window.padLeft <= inputShape.width + 1
            else { throw .unsupported(file: graph.file, reason: "its first layer does not read a padded picture") }
            arguments.input = UnsafePointer(pictureLayout.start) - window.padTop * pictureRow - window.padLeft * 3
            arguments.input_pixel_stride = window.stride * 3
            arguments.input_row_stride = window.stride * pictureRow
            (arguments.segments, arguments.segment_stride) = (Int32(window.height), pictureRow)
            (arguments.rows, arguments.pixels) = (Int32(shape.height), Int32(shape.width))
            arguments.depth = Int32(window.width * 3)
            arguments.output_row_stride = shape.width * arguments.output_pixel_stride
        } else if !window.isPointwise {
            guard shape.pixels == 1, window.height == inputShape.height, window.width == inputShape.width,
                window.padTop == 0, window.padLeft == 0
            else { throw .unsupported(file: graph.file, reason: "a convolution is neither pointwise nor the last") }
            // Pixels are contiguous, so the window is one run of them.
            arguments.segments = Int32(inputShape.pixels)
            arguments.segment_stride = pixel(inputShape)
            (arguments.rows, arguments.pixels) = (1, 1)
        }
        return arguments
    }

    /// Arguments of a pointwise convolution over a whole map, treated as one row of pixels.
    private func pointwise(
        _ node: Graph.Node, _ window: Graph.Window, output: UnsafeMutablePointer<Float>
    ) throws(ModelError) -> ck_convolution {
        let shape = graph.shape(node.output), inputShape = graph.shape(node.inputs[0])
        // 16-bit weights pay where few pixels share them, because there most of the time goes into reading weights. A
        // limit of 8x8 pixels instead of 4x4 costs no time and saves 3 MB. Without a limit the network gets 4 % slower
        // and saves another 3 MB.
        let half = kernels.half_weights && window.weights.isHalf && shape.pixels <= 64
        let packed = try weights.start(.weights, of: node.output) { () throws(ModelError) in
            PackedWeights(try window.weights.values(), outputs: shape.channels, half: half, kernels: kernels).memory
        }
        return ck_convolution(
            input: plan.memory.offset(node.inputs[0]).map { values.start + $0 } ?? pictureLayout.start,
            input_pixel_stride: pixel(inputShape), input_row_stride: 0, segments: 1, segment_stride: 0,
            depth: Int32(inputShape.channels), weights: packed, half_weights: half,
            bias: try bias(window, of: node, pixel: pixel(shape)), output: output,
            residual: node.inputs.count > 1 ? UnsafePointer(place(node.inputs[1])) : nil,
            output_pixel_stride: pixel(shape), output_row_stride: 0, residual_row_stride: 0, rows: 1,
            pixels: Int32(shape.pixels), vectors: Int32(pixel(shape)) / kernels.lanes, low: node.activation.low,
            high: node.activation.high)
    }

    private func block(
        _ group: InterleavedPlan.Group, expand: Graph.Node?, depthwise: Graph.Node, project: Graph.Node?
    ) throws(ModelError) -> InterleavedBlock {
        guard case .depthwise(let window) = depthwise.operation,
            let sizes = BlockSizes(group, graph, lanes: Int(kernels.lanes)),
            depthwise.inputs[0] != graph.input
        else { throw .unsupported(file: graph.file, reason: "its first layer is not a convolution") }
        let arguments = ck_depthwise(
            ring: ring.start, ring_stride: sizes.ringStride, ring_rows: Int32(sizes.ringRows),
            input_height: Int32(sizes.input.height), zero_row: zeros.start, kernel: Int32(window.height),
            stride: Int32(window.stride), pad_top: Int32(window.padTop), first_row: 0, rows: 0,
            width: Int32(sizes.output.width), vectors: Int32(sizes.pixel) / kernels.lanes, pixel: sizes.pixel,
            weights: try weights.start(.weights, of: depthwise.output) { () throws(ModelError) in
                AlignedMemory(try window.weights.values().paddedRows(of: sizes.input.channels, to: sizes.pixel))
            },
            bias: try bias(window, of: depthwise, pixel: sizes.pixel),
            output: project == nil ? place(depthwise.output) : strip.start, low: depthwise.activation.low,
            high: depthwise.activation.high)
        var block = InterleavedBlock(
            expand: nil, source: UnsafePointer(ring.start), sourceRow: 0, depthwise: arguments, ring: ring.start,
            ringDistance: ring.count / members, stripDistance: strip.count / members, padLeft: window.padLeft,
            padRight: sizes.padRight, inputWidth: sizes.input.width, project: nil,
            outputRow: sizes.output.width * pixel(graph.shape(group.output)),
            outputHeight: sizes.output.height, stripRows: sizes.stripRows)
        if let expand, case .convolution(let window) = expand.operation {
            block.expand = try expansion(expand, window, sizes)
        } else {
            block.source = UnsafePointer(place(depthwise.inputs[0]))
            block.sourceRow = sizes.input.width * sizes.pixel
        }
        if let project, case .convolution(let window) = project.operation {
            block.project = try projection(project, window, sizes)
        }
        return block
    }

    private func bias(
        _ window: Graph.Window, of node: Graph.Node, pixel: Int
    ) throws(ModelError) -> UnsafeMutablePointer<Float> {
        try weights.start(.bias, of: node.output) { AlignedMemory(window.bias.padded(to: pixel)) }
    }

    private func expansion(
        _ node: Graph.Node, _ window: Graph.Window, _ sizes: BlockSizes
    ) throws(ModelError) -> ck_convolution {
        var arguments: ck_convolution
        if node.inputs[0] == graph.input {
            arguments = try convolution(node, window, output: ring.start)
        } else {
            arguments = try pointwise(node, window, output: ring.start)
            arguments.input_row_stride = sizes.input.width * arguments.input_pixel_stride
        }
        arguments.output_row_stride = sizes.ringStride
        arguments.pixels = Int32(sizes.input.width)
        return arguments
    }

    private func projection(
        _ node: Graph.Node, _ window: Graph.Window, _ sizes: BlockSizes
    ) throws(ModelError) -> ck_convolution {
        var arguments = try pointwise(node, window, output: place(node.output))
        arguments.input = UnsafePointer(strip.start)
        arguments.input_pixel_stride = sizes.pixel
        return arguments
    }
}
