import CKernels

/// One thing a channels-last network does: kernel arguments whose pointers and sizes were settled at load.
enum InterleavedStep {
    case convolution(ck_convolution)
    case block(InterleavedBlock)
    case double(ck_doubling)
    case add(ElementwiseAddition)
    case maxPool(MapArguments)
    case sigmoid(UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, count: Int)

    struct ElementwiseAddition {
        let a, b, output: UnsafeMutablePointer<Float>
        let count: Int
        let low, high: Float
    }

    struct MapArguments {
        let input: UnsafeMutablePointer<Float>
        let height, width: Int
        /// Floats a pixel; channels are rounded up to vectors.
        let pixel: Int
        let output: UnsafeMutablePointer<Float>
    }

    /// Runs the step.
    ///
    /// Every pointer here points into memory that the network owning the step keeps, at offsets its planner derived
    /// from shapes the graph reader checked.
    func run(_ kernels: ck_kernels) {
        switch self {
        case .convolution(var arguments): kernels.convolve(&arguments)
        case .block(let block): block.run(kernels)
        case .double(var arguments): kernels.double_and_add(&arguments)
        case .add(let sum): kernels.add(sum.a, sum.b, sum.output, sum.count, sum.low, sum.high)
        case .maxPool(let map):
            kernels.max_pool(
                map.input, Int32(map.height), Int32(map.width), Int32(map.pixel / Int(kernels.lanes)), map.output)
        case .sigmoid(let input, let output, let count):
            for index in 0..<count { output[index] = logistic(input[index]) }
        }
    }
}
