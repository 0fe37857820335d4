extension Graph {
    /// The shape that a node must produce from its inputs; `nil` when it cannot take them.
    ///
    /// The padding after the last row and column follows from the output's size. Therefore every window must begin
    /// within the map or its leading padding.
    func expectedShape(of node: Node, output: MapShape) -> MapShape? {
        let input = shape(node.inputs[0])
        switch node.operation {
        case .convolution(let window):
            let size = output.channels * window.height * window.width * input.channels
            guard window.weights.count == size, window.bias.count == output.channels else { return nil }
            return fits(window, input: input, output: output) ? output : nil
        case .depthwise(let window):
            guard window.weights.count == window.height * window.width * input.channels,
                window.bias.count == input.channels, output.channels == input.channels, window.height == window.width,
                window.height == 3 || window.height == 5
            else { return nil }
            return fits(window, input: input, output: output) ? output : nil
        case .add:
            return shape(node.inputs[1]) == input ? input : nil
        case .double:
            return MapShape(height: input.height * 2, width: input.width * 2, channels: input.channels)
        case .maxPool:
            guard input.height % 2 == 0, input.width % 2 == 0 else { return nil }
            return MapShape(height: input.height / 2, width: input.width / 2, channels: input.channels)
        case .depthToSpace:
            guard input.channels % 4 == 0 else { return nil }
            return MapShape(height: input.height * 2, width: input.width * 2, channels: input.channels / 4)
        case .sigmoid:
            return input
        }
    }

    private func fits(_ window: Window, input: MapShape, output: MapShape) -> Bool {
        (output.height - 1) * window.stride - window.padTop < input.height
            && (output.width - 1) * window.stride - window.padLeft < input.width
            && window.padTop < window.height && window.padLeft < window.width
    }

    /// Removes every node that no output needs.
    mutating func prune() {
        var needed = Set(outputs.flatMap(\.parts))
        var kept: [Node] = []
        for node in nodes.reversed() where needed.contains(node.output) {
            needed.formUnion(node.inputs)
            kept.append(node)
        }
        nodes = kept.reversed()
        shapes = shapes.filter { needed.contains($0.key) || $0.key == input }
    }

    /// The same computation with fewer and cheaper layers.
    func rewritten() -> Graph {
        var graph = self
        graph.postponeDoublings()
        graph.joinAdditions()
        return graph
    }

    /// Fuses an addition into the pointwise convolution or upsampling before it if nothing else reads that result.
    private mutating func joinAdditions() {
        let readers = readers
        for index in nodes.indices {
            guard case .add = nodes[index].operation else { continue }
            // Fuse into the later of the two, because the other operand is then already computed.
            for side in [0, 1] {
                let value = nodes[index].inputs[side]
                guard readers[value] == 1, let before = nodes[..<index].firstIndex(where: { $0.output == value }),
                    canTakeAddition(nodes[before], activation: nodes[index].activation)
                else { continue }
                nodes[index].operation = nodes[before].operation
                if case .double = nodes[before].operation { nodes[index].activation = nodes[before].activation }
                nodes[index].inputs = [nodes[before].inputs[0], nodes[index].inputs[1 - side]]
                shapes[value] = nil
                // Nodes are removed after the loop, so that indices stay valid.
                nodes[before].output = Self.removed
                break
            }
        }
        nodes.removeAll { $0.output == Self.removed }
    }

    private static let removed: Value = -1

    private func canTakeAddition(_ node: Node, activation: Activation) -> Bool {
        guard node.inputs.count == 1 else { return false }
        switch node.operation {
        case .convolution(let window): return window.isPointwise && node.activation == .none
        case .double: return activation == .none
        default: return false
        }
    }

    /// Moves upsamplings after the pointwise convolutions that follow them, which then run on a quarter of the pixels.
    ///
    /// The result is exact: both operations are linear, and interpolation weights sum to 1, so a bias passes through
    /// unchanged. The activation stays last.
    private mutating func postponeDoublings() {
        let readers = readers
        var next = (shapes.keys.max() ?? 0) + 1
        var doubled: [Value: Value] = [:]
        var rewritten: [Node] = []
        for node in nodes {
            if case .double = node.operation, node.inputs.count == 1, node.activation == .none,
                readers[node.output] == 1, isReadPointwise(node.output)
            {
                doubled[node.output] = node.inputs[0]
            } else if let source = doubled[node.inputs[0]] {
                var convolution = node
                convolution.inputs = [source]
                convolution.output = next
                convolution.activation = .none
                var shape = shape(source)
                shape.channels = self.shape(node.output).channels
                shapes[next] = shape
                rewritten.append(convolution)
                rewritten.append(
                    Node(operation: .double, inputs: [next], output: node.output, activation: node.activation))
                next += 1
            } else {
                rewritten.append(node)
            }
        }
        nodes = rewritten
        for value in doubled.keys { shapes[value] = nil }
    }

    private func isReadPointwise(_ value: Value) -> Bool {
        nodes.contains { node in
            guard node.inputs == [value], case .convolution(let window) = node.operation else { return false }
            return window.isPointwise
        }
    }
}
