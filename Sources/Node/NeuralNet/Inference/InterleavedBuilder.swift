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
    private let values: AlignedMemory
    private let ring: AlignedMemory
    private let strip: AlignedMemory
    private let zeros: AlignedMemory
    /// One member's part of the ring and of the strip.
    private let ringBytes, stripBytes: Int
    /// Bytes of a pixel and of a row of the picture.
    private let picturePixel, pictureRow: Int

    /// - Parameter members: the largest team that will run the network.
    init(_ graph: Graph, plan: InterleavedPlan, kernels: ck_kernels, weights: WeightStore, members: Int) {
        self.graph = graph
        self.plan = plan
        self.kernels = kernels
        self.weights = weights
        let sizes = plan.groups.compactMap { BlockSizes($0, graph, kernels) }
        values = AlignedMemory(count: plan.memory.count)
        ringBytes = sizes.map(\.ringBytes).max() ?? 0
        stripBytes = sizes.map { $0.stripRows * $0.output.width * $0.pixel }.max() ?? 0
        ring = AlignedMemory(bytes: ringBytes * members)
        strip = AlignedMemory(bytes: stripBytes * members)
        zeros = AlignedMemory(bytes: sizes.map(\.ringStride).max() ?? 0)
        // One zero pixel on each side is enough for every window that reads the picture; see `convolution`.
        let shape = graph.inputShape
        picturePixel = shape.channels * Int(kernels.element_bytes)
        pictureRow = (shape.width + 2) * picturePixel
        let picture = AlignedMemory(bytes: (shape.height + 2) * pictureRow)
        pictureLayout = PictureLayout(
            start: picture.raw + pictureRow + picturePixel, height: shape.height, width: shape.width,
            row: pictureRow)
        memories = [values, ring, strip, zeros, picture]
    }

    func part(of value: Graph.Value) -> InterleavedNetwork.OutputPart {
        let shape = graph.shape(value)
        return .init(
            start: place(value), pixels: shape.pixels, channels: shape.channels,
            pixelStride: kernels.bytes(ofPixel: shape), isHalf: !kernels.storesFloats(shape))
    }

    mutating func append(_ group: InterleavedPlan.Group) throws(ModelError) {
        guard group.nodes.allSatisfy({ kernels.supportPrecision(of: $0, in: graph) }) else {
            throw .unsupported(file: graph.file, reason: "a map of one pixel is no sum of a larger one")
        }
        switch group {
        case .block(let expand, let depthwise, let project):
            steps.append(.block(try block(group, expand: expand, depthwise: depthwise, project: project)))
        case .single(let node):
            steps.append(try step(node))
        }
    }

    private func place(_ value: Graph.Value) -> UnsafeMutableRawPointer {
        guard let offset = plan.memory.offset(value) else {
            preconditionFailure("a value that other steps read has no place in memory")
        }
        return values.raw + offset * 4
    }

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
            input: input, height: inputShape.height, width: inputShape.width,
            vectors: kernels.vectors(ofPixel: inputShape), output: output)
        switch node.operation {
        case .convolution, .depthwise: preconditionFailure("convolutions are no plain steps")
        case .add:
            return .add(
                .init(
                    a: input, b: place(node.inputs[1]), output: output,
                    count: kernels.bytes(of: shape) / Int(kernels.element_bytes),
                    low: node.activation.low, high: node.activation.high))
        case .double:
            return .double(
                ck_doubling(
                    input: input, height: Int32(inputShape.height), width: Int32(inputShape.width),
                    vectors: Int32(kernels.vectors(ofPixel: shape)), first_row: 0, last_row: Int32(shape.height),
                    first_column: 0, last_column: Int32(inputShape.width),
                    addend: node.inputs.count > 1 ? UnsafeRawPointer(place(node.inputs[1])) : nil, output: output,
                    low: node.activation.low, high: node.activation.high))
        case .maxPool: return .maxPool(map)
        case .depthToSpace:
            throw .unsupported(
                file: graph.file, reason: "the channels-last engine does not spread channels over pixels")
        case .sigmoid: return .sigmoid(input, output, count: kernels.bytes(of: shape) / 4)
        }
    }
}

extension InterleavedBuilder {
    /// A convolution outside a block: of the picture, pointwise, or one window over a whole map.
    private func convolution(
        _ node: Graph.Node, _ window: Graph.Window, output: UnsafeMutableRawPointer
    ) throws(ModelError) -> ck_convolution {
        let shape = graph.shape(node.output), inputShape = graph.shape(node.inputs[0])
        var arguments = try pointwise(node, window, output: output)
        if node.inputs[0] == graph.input {
            guard window.padTop <= 1, window.padLeft <= 1, inputShape.channels == 3,
                (shape.height - 1) * window.stride + window.height - window.padTop <= inputShape.height + 1,
                (shape.width - 1) * window.stride + window.width - window.padLeft <= inputShape.width + 1
            else { throw .unsupported(file: graph.file, reason: "its first layer does not read a padded picture") }
            arguments.input = UnsafeRawPointer(
                pictureLayout.start - window.padTop * pictureRow - window.padLeft * picturePixel)
            arguments.input_pixel_stride = window.stride * picturePixel
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
            arguments.segment_stride = kernels.bytes(ofPixel: inputShape)
            (arguments.rows, arguments.pixels) = (1, 1)
        }
        return arguments
    }

    /// Arguments of a pointwise convolution over a whole map, treated as one row of pixels.
    private func pointwise(
        _ node: Graph.Node, _ window: Graph.Window, output: UnsafeMutableRawPointer
    ) throws(ModelError) -> ck_convolution {
        let shape = graph.shape(node.output), inputShape = graph.shape(node.inputs[0])
        let pixel = kernels.bytes(ofPixel: shape)
        // 16-bit weights pay where few pixels share them, because there most of the time goes into reading weights. A
        // limit of 8x8 pixels instead of 4x4 costs no time and saves 3 MB. Without a limit the network gets 4 % slower
        // and saves another 3 MB.
        let pays = kernels.half_weights && window.weights.isHalf && shape.pixels <= 64
        let half = pays || kernels.hasHalfElements
        let packed = try weights.start(.weights, of: node.output) { () throws(ModelError) in
            PackedWeights(try window.weights.values(), outputs: shape.channels, half: half, kernels: kernels).memory
        }
        return ck_convolution(
            input: plan.memory.offset(node.inputs[0]).map { values.raw + $0 * 4 } ?? pictureLayout.start,
            input_pixel_stride: kernels.bytes(ofPixel: inputShape), input_row_stride: 0, segments: 1,
            segment_stride: 0, depth: Int32(inputShape.channels), weights: packed, half_weights: half,
            float_outputs: kernels.hasHalfElements && kernels.storesFloats(shape),
            bias: try bias(window, of: node), output: output,
            residual: node.inputs.count > 1 ? UnsafeRawPointer(place(node.inputs[1])) : nil,
            output_pixel_stride: pixel, output_row_stride: 0, residual_row_stride: 0,
            output_vector_stride: Int(kernels.lanes) * (kernels.storesFloats(shape) ? 4 : Int(kernels.element_bytes)),
            rows: 1, pixels: Int32(shape.pixels), vectors: Int32(kernels.vectors(ofPixel: shape)),
            low: node.activation.low, high: node.activation.high)
    }

    private func block(
        _ group: InterleavedPlan.Group, expand: Graph.Node?, depthwise: Graph.Node, project: Graph.Node?
    ) throws(ModelError) -> InterleavedBlock {
        guard case .depthwise(let window) = depthwise.operation,
            let sizes = BlockSizes(group, graph, kernels),
            depthwise.inputs[0] != graph.input
        else { throw .unsupported(file: graph.file, reason: "its first layer is not a convolution") }
        let arguments = ck_depthwise(
            ring: ring.raw, ring_stride: sizes.ringStride, ring_vector_stride: sizes.ringVectorStride,
            ring_rows: Int32(sizes.ringRows), input_height: Int32(sizes.input.height), zero_row: zeros.raw,
            kernel: Int32(window.height),
            stride: Int32(window.stride), pad_top: Int32(window.padTop), first_row: 0, rows: 0,
            width: Int32(sizes.output.width), vectors: Int32(kernels.vectors(ofPixel: sizes.input)),
            weights: try weights.start(.weights, of: depthwise.output) { () throws(ModelError) in
                kernels.memory(
                    try window.weights.values().byVectors(of: Int(kernels.lanes), channels: sizes.input.channels))
            },
            bias: try bias(window, of: depthwise),
            output: project == nil ? place(depthwise.output) : strip.raw, pixel: sizes.pixel,
            low: depthwise.activation.low, high: depthwise.activation.high)
        var block = InterleavedBlock(
            expand: nil, source: UnsafeRawPointer(ring.raw), sourceRow: 0, depthwise: arguments, ring: ring.raw,
            ringDistance: ringBytes, stripDistance: stripBytes, vectorBytes: sizes.vectorBytes,
            padLeft: window.padLeft, padRight: sizes.padRight, inputWidth: sizes.input.width, project: nil,
            outputRow: sizes.output.width * kernels.bytes(ofPixel: graph.shape(group.output)),
            outputHeight: sizes.output.height, stripRows: sizes.stripRows)
        if let expand, case .convolution(let window) = expand.operation {
            block.expand = try expansion(expand, window, sizes)
        } else {
            block.source = UnsafeRawPointer(place(depthwise.inputs[0]))
            block.sourceRow = sizes.input.width * sizes.pixel
        }
        if let project, case .convolution(let window) = project.operation {
            block.project = try projection(project, window, sizes)
        }
        return block
    }

    private func bias(
        _ window: Graph.Window, of node: Graph.Node
    ) throws(ModelError) -> UnsafeMutablePointer<Float> {
        try weights.start(.bias, of: node.output) {
            AlignedMemory(window.bias.padded(to: kernels.wholeVectors(window.bias.count)))
        }
    }

    private func expansion(
        _ node: Graph.Node, _ window: Graph.Window, _ sizes: BlockSizes
    ) throws(ModelError) -> ck_convolution {
        var arguments: ck_convolution
        if node.inputs[0] == graph.input {
            arguments = try convolution(node, window, output: ring.raw)
        } else {
            arguments = try pointwise(node, window, output: ring.raw)
            arguments.input_row_stride = sizes.input.width * arguments.input_pixel_stride
        }
        arguments.output_pixel_stride = sizes.vectorBytes
        arguments.output_row_stride = sizes.ringStride
        arguments.output_vector_stride = sizes.ringVectorStride
        arguments.pixels = Int32(sizes.input.width)
        return arguments
    }

    private func projection(
        _ node: Graph.Node, _ window: Graph.Window, _ sizes: BlockSizes
    ) throws(ModelError) -> ck_convolution {
        var arguments = try pointwise(node, window, output: place(node.output))
        arguments.input = UnsafeRawPointer(strip.raw)
        arguments.input_pixel_stride = sizes.pixel
        return arguments
    }
}
