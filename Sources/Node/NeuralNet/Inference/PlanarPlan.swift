/// Groups a graph's nodes into the steps of a `PlanarNetwork` and assigns memory to every value.
struct PlanarPlan {
    /// Layers of the sparse engine around a depthwise convolution that run as one step.
    struct Block {
        /// The convolution before it, pointwise or of the picture, if nothing else reads its result.
        var expand: Graph.Node?
        var depthwise: Graph.Node
        /// The input of a depth-to-space layer whose result the depthwise convolution reads; its channels become 2x2
        /// pixels.
        var spread: Graph.Value?
        var project: Graph.Node?
    }

    /// Nodes that run as one step.
    enum Group {
        case single(Graph.Node)
        case block(Block)

        var nodes: [Graph.Node] {
            switch self {
            case .single(let node): [node]
            case .block(let block): [block.expand, block.depthwise, block.project].compactMap { $0 }
            }
        }

        /// The values that the group reads.
        var inputs: [Graph.Value] {
            switch self {
            case .single(let node): node.inputs
            case .block(let block):
                [block.spread ?? (block.expand ?? block.depthwise).inputs[0]]
                    + (block.project?.inputs.dropFirst() ?? [])
            }
        }

        var output: Graph.Value {
            switch self {
            case .single(let node): node.output
            case .block(let block): (block.project ?? block.depthwise).output
            }
        }
    }

    let groups: [Group]
    let memory: MemoryPlan
    /// Values that windows read in place. Their gutters must be zero.
    let windowed: Set<Graph.Value>

    /// Floats before and after each value, for gutters and incomplete vectors.
    static let margin = 16

    init(_ graph: Graph) {
        let groups = Self.group(graph)
        var lastUse: [Graph.Value: Int] = [:]
        for (step, group) in groups.enumerated() {
            for value in group.inputs { lastUse[value] = step }
        }
        for value in graph.outputs.flatMap(\.parts) { lastUse[value] = groups.count }
        var memory = MemoryPlan()
        for (step, group) in groups.enumerated() {
            let shape = graph.shape(group.output)
            memory.place(
                group.output, count: PlanarShape(shape).plane * shape.channels + 2 * Self.margin,
                life: step...max(step, lastUse[group.output] ?? step))
        }
        self.groups = groups
        self.memory = memory
        windowed = Set(
            groups.compactMap { group in
                guard case .block(let block) = group, block.expand == nil else { return nil }
                return group.inputs[0]
            })
    }

    /// Starts from the groups of the dense engine and moves depth-to-space layers into the blocks that read them.
    private static func group(_ graph: Graph) -> [Group] {
        var spread: [Graph.Value: Graph.Value] = [:]
        var groups: [Group] = []
        for group in InterleavedPlan.group(graph) {
            switch group {
            case .single(let node):
                if case .depthToSpace = node.operation, isOnlyVisitedBySecondPixels(node.output, graph) {
                    spread[node.output] = node.inputs[0]
                } else {
                    groups.append(.single(node))
                }
            case .block(let expand, let depthwise, let project):
                let spread = spread[depthwise.inputs[0]]
                groups.append(.block(Block(expand: expand, depthwise: depthwise, spread: spread, project: project)))
            }
        }
        return groups
    }

    /// Whether `spread_depthwise` can compute all readers of a value.
    private static func isOnlyVisitedBySecondPixels(_ value: Graph.Value, _ graph: Graph) -> Bool {
        let windows = graph.nodes.filter { $0.inputs.contains(value) }.map { node -> Graph.Window? in
            guard case .depthwise(let window) = node.operation else { return nil }
            return window
        }
        return windows.count == graph.readers[value]
            && windows.allSatisfy { window in
                window.map { $0.height == 3 && $0.stride == 2 && $0.padTop == 1 && $0.padLeft == 1 } ?? false
            }
    }
}
