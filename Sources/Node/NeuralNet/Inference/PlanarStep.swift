import CKernels

/// One step of a `PlanarNetwork`: kernel arguments whose pointers and sizes are fixed when the model is loaded.
enum PlanarStep {
    case block(PlanarBlock)
    case pointwise(PlanarPointwise)
    case double(ck_planar_doubling)

    /// Runs the step.
    ///
    /// Every pointer points into memory that the network owning the step keeps alive. The planner derived all offsets
    /// from shapes that the graph reader checked.
    func run(_ kernels: ck_kernels, _ scratch: PlanarScratch) {
        switch self {
        case .block(let block): block.run(kernels, scratch)
        case .pointwise(let layer): layer.run(kernels)
        case .double(var arguments): kernels.planar_double_and_add(&arguments)
        }
    }
}

/// A pointwise convolution of the sparse engine outside a block.
struct PlanarPointwise {
    /// Arguments for the whole map.
    var arguments: ck_sparse
    /// Groups of inputs with their weights. A few vectors of one group's planes fit the L1 cache.
    var groups: [(firstInput: Int, weights: SparseWeights)]
    let inputPlane: Int
    /// Lanes that all groups process before moving on.
    let stripLanes: Int

    func run(_ kernels: ck_kernels) {
        for from in stride(from: 0, to: arguments.lanes, by: stripLanes) {
            for (index, group) in groups.enumerated() {
                var part = arguments
                part.lanes = min(stripLanes, arguments.lanes - from)
                part.input += group.firstInput * inputPlane + from
                part.output += from
                part.addend = part.addend.map { $0 + from }
                part.low = part.low.map { $0 + from }
                part.high = part.high.map { $0 + from }
                if index > 0 { (part.bias, part.addend) = (nil, nil) }
                if index + 1 < groups.count { (part.low, part.high) = (nil, nil) }
                group.weights.attach(to: &part)
                kernels.sparse(&part)
            }
        }
    }
}
