import CKernels

/// How an `InterleavedBlock` (dense engine) is cut into strips of rows.
struct BlockSizes {
    /// Shapes of the depthwise convolution.
    let input, output: MapShape
    /// Bytes per pixel between the layers.
    let pixel: Int
    let padRight: Int
    /// Output rows per strip.
    let stripRows: Int
    /// Input rows that a strip needs at once, and bytes per row of one vector of channels, including its padding.
    let ringRows, ringStride: Int
    /// Bytes of such a vector, of all its rows, and of the ring.
    let vectorBytes, ringVectorStride, ringBytes: Int

    /// `nil` when the group is not a block.
    init?(_ group: InterleavedPlan.Group, _ graph: Graph, _ kernels: ck_kernels) {
        guard case .block(_, let depthwise, _) = group, case .depthwise(let window) = depthwise.operation else {
            return nil
        }
        input = graph.shape(depthwise.inputs[0])
        output = graph.shape(depthwise.output)
        pixel = kernels.bytes(ofPixel: input)
        let reach = (output.width - 1) * window.stride + window.width
        padRight = max(0, reach - window.padLeft - input.width)
        // At least four rows share the input lines above and below them, and 64 pixels fill the tiles of the following
        // convolution. Taller strips evict each other from the cache.
        stripRows = min(output.height, max(4, (64 + output.width - 1) / output.width))
        ringRows = min(input.height, (stripRows - 1) * window.stride + window.height)
        vectorBytes = Int(kernels.lanes) * Int(kernels.element_bytes)
        ringStride = (window.padLeft + input.width + padRight) * vectorBytes
        ringVectorStride = ringRows * ringStride
        ringBytes = kernels.vectors(ofPixel: input) * ringVectorStride
    }
}
