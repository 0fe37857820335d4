import CKernels

/// Groups a graph's nodes into the steps of a channels-last network and gives every value its place in memory.
struct InterleavedPlan {
    /// Nodes that run as one.
    enum Group {
        case single(Graph.Node)
        /// Depthwise, with the pointwise convolutions around it where nobody else reads what lies between.
        case block(expand: Graph.Node?, depthwise: Graph.Node, project: Graph.Node?)

        var nodes: [Graph.Node] {
            switch self {
            case .single(let node): [node]
            case .block(let expand, let depthwise, let project): [expand, depthwise, project].compactMap { $0 }
            }
        }

        /// What the group reads.
        var inputs: [Graph.Value] {
            switch self {
            case .single(let node): node.inputs
            case .block(let expand, let depthwise, let project):
                [(expand ?? depthwise).inputs[0]] + (project?.inputs.dropFirst() ?? [])
            }
        }

        var output: Graph.Value {
            switch self {
            case .single(let node): node.output
            case .block(_, let depthwise, let project): (project ?? depthwise).output
            }
        }
    }

    let groups: [Group]
    let memory: MemoryPlan

    /// - Parameter kept: values read from outside after the run, beside the graph's outputs.
    init(_ graph: Graph, lanes: Int, kept: Set<Graph.Value> = []) {
        let groups = Self.group(graph, kept: kept)
        var lastUse: [Graph.Value: Int] = [:]
        for (step, group) in groups.enumerated() {
            for value in group.inputs { lastUse[value] = step }
        }
        for value in kept.union(graph.outputs.flatMap(\.parts)) { lastUse[value] = groups.count }
        var memory = MemoryPlan()
        for (step, group) in groups.enumerated() {
            let shape = graph.shape(group.output)
            memory.place(
                group.output, count: shape.pixels * shape.channels.roundedUp(to: lanes),
                life: step...max(step, lastUse[group.output] ?? step))
        }
        self.groups = groups
        self.memory = memory
    }

    /// Defers a node to the one reader that can take it in.
    static func group(_ graph: Graph, kept: Set<Graph.Value>) -> [Group] {
        let readers = graph.readers
        func onlyReader(_ value: Graph.Value) -> Graph.Node? {
            guard readers[value] == 1, !kept.contains(value) else { return nil }
            return graph.nodes.first { $0.inputs.first == value }
        }
        var expansions: [Graph.Value: Graph.Node] = [:]
        var depthwises: [Graph.Value: Graph.Node] = [:]
        var groups: [Group] = []
        for node in graph.nodes {
            let reader = onlyReader(node.output)
            switch node.operation {
            case .depthwise:
                if reader?.isPointwise == true {
                    depthwises[node.output] = node
                } else {
                    groups.append(.block(expand: expansions[node.inputs[0]], depthwise: node, project: nil))
                }
            case .convolution where node.isPointwise:
                if let depthwise = depthwises[node.inputs[0]] {
                    groups.append(.block(expand: expansions[depthwise.inputs[0]], depthwise: depthwise, project: node))
                } else if node.inputs.count == 1, node.inputs[0] != graph.input, case .depthwise = reader?.operation {
                    expansions[node.output] = node
                } else {
                    groups.append(.single(node))
                }
            default:
                groups.append(.single(node))
            }
        }
        return groups
    }
}

extension Graph.Node {
    var isPointwise: Bool {
        guard case .convolution(let window) = operation else { return false }
        return window.isPointwise
    }
}

extension Int {
    /// The smallest multiple of `step` that is not less.
    func roundedUp(to step: Int) -> Int { (self + step - 1) / step * step }
}
