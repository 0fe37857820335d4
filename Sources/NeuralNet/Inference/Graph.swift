import Foundation

/// Height, width and channels of a map between two layers.
package struct MapShape: Equatable, Sendable, CustomStringConvertible {
    package var height, width, channels: Int

    package var pixels: Int { height * width }
    package var description: String { "[\(height), \(width), \(channels)]" }
}

/// What a layer's results are limited to.
package enum Activation: Sendable {
    case none
    /// 0…6.
    case relu6

    var low: Float { self == .none ? -.infinity : 0 }
    var high: Float { self == .none ? .infinity : 6 }
}

/// A network reduced to what has to be computed: weights are attached to their layers, padding is folded into them,
/// additions are joined to the layer before, and nothing remains that no wanted output needs.
package struct Graph {
    /// A value's number; those of the file keep their tensor's.
    package typealias Value = Int

    /// A window that moves over a map.
    package struct Window {
        var height, width, stride: Int
        /// Zero pixels before the first row and column; as many as needed follow the last ones.
        var padTop, padLeft: Int
        /// Convolutions: `[outputs, height, width, inputs]`; depthwise ones: `[height, width, channels]`.
        var weights: TFLiteFile.Constant
        /// One a channel.
        var bias: [Float]

        var isPointwise: Bool { height == 1 && width == 1 && stride == 1 }
    }

    package enum Operation {
        /// Inputs: the map, and perhaps one of the output's shape that is added before the limits.
        case convolution(Window)
        case depthwise(Window)
        /// Inputs: two maps of one shape.
        case add
        /// Twice as high and wide, bilinear, half-pixel centres. Inputs: the map, and perhaps one of the output's
        /// shape that is added after the limits.
        case double
        /// The largest of each 2x2 pixels.
        case maxPool
        /// Channels in four quarters become 2x2 pixels.
        case depthToSpace
        case sigmoid
    }

    package struct Node {
        var operation: Operation
        var inputs: [Value]
        var output: Value
        var activation: Activation
    }

    /// A result of the network: the values it is put together from, one after the other.
    package struct Output {
        package var shape: [Int]
        package var parts: [Value]
    }

    package let file: String
    package internal(set) var input: Value
    package internal(set) var shapes: [Value: MapShape]
    /// In an order in which every value is computed before it is used.
    package internal(set) var nodes: [Node]
    package internal(set) var outputs: [Output]

    package var inputShape: MapShape { shape(input) }

    /// Checks that this is the network that was asked for.
    ///
    /// - Throws: ``ModelError/shapeMismatch(file:expected:found:)``.
    package func requireInput(height: Int, width: Int, channels: Int) throws(ModelError) {
        let expected = MapShape(height: height, width: width, channels: channels)
        guard inputShape == expected else {
            throw .shapeMismatch(file: file, expected: "an input of shape \(expected)", found: "\(inputShape)")
        }
    }

    func shape(_ value: Value) -> MapShape {
        guard let shape = shapes[value] else { preconditionFailure("a value of the graph has no shape") }
        return shape
    }

    /// How many nodes and outputs read each value.
    var readers: [Value: Int] {
        var count: [Value: Int] = [:]
        for value in nodes.flatMap(\.inputs) + outputs.flatMap(\.parts) { count[value, default: 0] += 1 }
        return count
    }

    /// Multiplications of one run of a node, in millions; for reports.
    func megaMultiplications(_ node: Node) -> Double {
        switch node.operation {
        case .convolution(let window), .depthwise(let window):
            let perPixel = window.weights.count
            // A depthwise weight serves one channel, so that both kinds multiply once a weight and pixel.
            return Double(shape(node.output).pixels * perPixel) / 1e6
        default: return 0
        }
    }
}

extension Graph.Operation {
    /// For reports.
    var name: String {
        switch self {
        case .convolution(let window): window.isPointwise ? "pointwise" : "convolution"
        case .depthwise(let window): "depthwise\(window.height)" + (window.stride > 1 ? "/\(window.stride)" : "")
        case .add: "add"
        case .double: "double"
        case .maxPool: "max_pool"
        case .depthToSpace: "depth_to_space"
        case .sigmoid: "sigmoid"
        }
    }
}
