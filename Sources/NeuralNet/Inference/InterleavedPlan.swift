import CKernels

/// Groups a graph's nodes into the steps of a channels-last network and gives every value its place in memory.
struct InterleavedPlan {
    /// Nodes that run as one.
    enum Group {
        case single(Graph.Node)
        /// Depthwise, with the convolutions around it, pointwise or that of the picture, where nobody else reads what lies between.
        case block(expand: Graph.Node?, depthwise: Graph.Node, project: Graph.Node?)

        var nodes: [Graph.Node] {
            switch self {
            case .single(let node): [node]
            case .block(let expand, let depthwise, let project): [expand, depthwise, project].compactMap { $0 }
            }
        }

        /// Whether ``InterleavedStep/run(_:in:width:)`` knows it.
        var worksOnParts: Bool {
            switch self {
            case .single(let node):
                if case .double = node.operation { return true }
                return node.isPointwise
            case .block(let expand, let depthwise, let project):
                guard case .depthwise(let window) = depthwise.operation else { return false }
                return expand == nil && project != nil && window.stride == 1
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

    /// The last ``deferredCount`` of them are computed only in parts.
    let groups: [Group]
    let deferredCount: Int
    let memory: MemoryPlan

    /// - Parameter deferred: a map of which only parts are wanted.
    init(_ graph: Graph, lanes: Int, deferred: Graph.Value? = nil) {
        var groups = Self.group(graph)
        let last = deferred.map { Self.deferrable(groups, graph, to: $0) } ?? []
        // What is computed in parts needs nothing but what comes before, so it can stand at the end, and the lives of
        // what it reads stretch as far.
        groups = groups.indices.filter { !last.contains($0) }.map { groups[$0] } + last.sorted().map { groups[$0] }
        deferredCount = last.count
        // Area after area goes through all deferred groups, so that they live and die together.
        let firstDeferred = groups.count - deferredCount
        var lastUse: [Graph.Value: Int] = [:]
        for (step, group) in groups.enumerated() {
            for value in group.inputs { lastUse[value] = step < firstDeferred ? step : groups.count }
        }
        for value in graph.outputs.flatMap(\.parts) { lastUse[value] = groups.count }
        var memory = MemoryPlan()
        for (step, group) in groups.enumerated() {
            let shape = graph.shape(group.output)
            memory.place(
                group.output, count: shape.pixels * shape.channels.roundedUp(to: lanes),
                life: min(step, firstDeferred)...max(step, lastUse[group.output] ?? step))
        }
        self.groups = groups
        self.memory = memory
    }

    /// The groups that make a map and can make a part of it from parts of maps of the same size.
    private static func deferrable(_ groups: [Group], _ graph: Graph, to output: Graph.Value) -> Set<Int> {
        let readers = graph.readers, shape = graph.shape(output)
        var readings = [output: 1]
        var chosen: Set<Int> = []
        for (index, group) in groups.enumerated().reversed() where group.worksOnParts {
            let made = graph.shape(group.output)
            // All its readers, the world outside being the output's, are computed in parts as well.
            guard let count = readings[group.output], count == readers[group.output], made.height == shape.height,
                made.width == shape.width
            else { continue }
            chosen.insert(index)
            for value in group.inputs { readings[value, default: 0] += 1 }
        }
        return chosen
    }

    /// Joins nodes to the one reader that can take them in.
    static func group(_ graph: Graph) -> [Group] {
        let readers = graph.readers
        func onlyReader(_ value: Graph.Value) -> Graph.Node? {
            guard readers[value] == 1 else { return nil }
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
            case .convolution where node.isPointwise || node.inputs[0] == graph.input:
                if let depthwise = depthwises[node.inputs[0]] {
                    groups.append(.block(expand: expansions[depthwise.inputs[0]], depthwise: depthwise, project: node))
                } else if node.inputs.count == 1, case .depthwise = reader?.operation {
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
