/// How a block of layers around a depthwise convolution is cut into strips of rows.
struct BlockSizes {
    /// Of the depthwise convolution.
    let input, output: MapShape
    /// Floats a pixel between the layers.
    let pixel: Int
    let padRight: Int
    /// Output rows a strip has.
    let stripRows: Int
    /// Input rows a strip needs at once, and floats each takes with its padding.
    let ringRows, ringStride: Int

    /// `nil` when the group is not a block.
    init?(_ group: InterleavedPlan.Group, _ graph: Graph, lanes: Int) {
        guard case .block(_, let depthwise, _) = group, case .depthwise(let window) = depthwise.operation else {
            return nil
        }
        input = graph.shape(depthwise.inputs[0])
        output = graph.shape(depthwise.output)
        pixel = input.channels.roundedUp(to: lanes)
        let reach = (output.width - 1) * window.stride + window.width
        padRight = max(0, reach - window.padLeft - input.width)
        // At least four rows share the input lines above and below them, and 64 pixels fill the tiles of the
        // convolution after; taller strips only push each other out of the cache.
        stripRows = min(output.height, max(4, (64 + output.width - 1) / output.width))
        ringRows = min(input.height, (stripRows - 1) * window.stride + window.height)
        ringStride = (window.padLeft + input.width + padRight) * pixel
    }
}
