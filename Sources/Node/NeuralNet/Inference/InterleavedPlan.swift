import CKernels

/// Groups a graph's nodes into the steps of an `InterleavedNetwork` and assigns memory to every value.
struct InterleavedPlan {
    /// Nodes that run as one step.
    enum Group {
        case single(Graph.Node)
        /// A depthwise convolution with the convolutions before and after it, if nothing else reads the values in
        /// between. `expand` is pointwise or reads the picture; `project` is pointwise.
        case block(expand: Graph.Node?, depthwise: Graph.Node, project: Graph.Node?)

        var nodes: [Graph.Node] {
            switch self {
            case .single(let node): [node]
            case .block(let expand, let depthwise, let project): [expand, depthwise, project].compactMap { $0 }
            }
        }

        /// Whether ``InterleavedStep/run(_:in:width:_:)`` can compute it in parts.
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

        /// The values that the group reads.
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

    /// The last ``deferredCount`` groups are computed only in parts.
    let groups: [Group]
    let deferredCount: Int
    let memory: MemoryPlan

    /// - Parameter deferred: a map of which only parts are needed.
    init(_ graph: Graph, _ kernels: ck_kernels, deferred: Graph.Value? = nil) {
        var groups = Self.group(graph)
        let last = deferred.map { Self.deferrable(groups, graph, to: $0) } ?? []
        // Deferred groups read only values that are computed earlier, so they can be moved to the end. The values they
        // read must live until then.
        groups = groups.indices.filter { !last.contains($0) }.map { groups[$0] } + last.sorted().map { groups[$0] }
        deferredCount = last.count
        // Each area runs through all deferred groups in turn, so all their values must live at the same time.
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
                group.output, count: kernels.bytes(of: shape) / 4,
                life: min(step, firstDeferred)...max(step, lastUse[group.output] ?? step))
        }
        self.groups = groups
        self.memory = memory
    }

    /// The groups that lead to `output` and can compute part of it from parts of maps of the same size.
    private static func deferrable(_ groups: [Group], _ graph: Graph, to output: Graph.Value) -> Set<Int> {
        let readers = graph.readers, shape = graph.shape(output)
        var readings = [output: 1]
        var chosen: Set<Int> = []
        for (index, group) in groups.enumerated().reversed() where group.worksOnParts {
            let made = graph.shape(group.output)
            // All readers must be computed in parts as well. For the output itself the caller counts as a reader.
            guard let count = readings[group.output], count == readers[group.output], made.height == shape.height,
                made.width == shape.width
            else { continue }
            chosen.insert(index)
            for value in group.inputs { readings[value, default: 0] += 1 }
        }
        return chosen
    }

    /// Joins each node to its only reader where possible.
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
    /// The smallest multiple of `step` that is at least this number.
    func roundedUp(to step: Int) -> Int { (self + step - 1) / step * step }
}
