import Foundation

/// Height, width and channels of a feature map.
package struct MapShape: Equatable, Sendable, CustomStringConvertible {
    /// Pixels and channels.
    package var height, width, channels: Int

    /// Pixels of one channel.
    package var pixels: Int { height * width }
    package var description: String { "[\(height), \(width), \(channels)]" }
}

/// The range that a layer's results are clamped to.
package enum Activation: Sendable {
    case none
    /// 0…6.
    case relu6

    var low: Float { self == .none ? -.infinity : 0 }
    var high: Float { self == .none ? .infinity : 6 }
}

/// A network reduced to what has to be computed. Weights are attached to their layers, padding is part of the window,
/// additions are fused into the preceding layer, and nodes that no wanted output needs are gone.
package struct Graph {
    /// Number of a value. Values from the file keep their tensor's number.
    package typealias Value = Int

    /// A convolution window.
    package struct Window {
        var height, width, stride: Int
        /// Zero pixels before the first row and column. The output's size determines how many follow the last ones.
        var padTop, padLeft: Int
        /// Weights `[outputs, height, width, inputs]`, or `[height, width, channels]` for a depthwise convolution.
        var weights: TFLiteFile.Constant
        /// One number per channel.
        var bias: [Float]

        var isPointwise: Bool { height == 1 && width == 1 && stride == 1 }
    }

    /// What a node computes.
    package enum Operation {
        /// Inputs: the map, and optionally a second one of the output's shape that is added before the activation.
        case convolution(Window)
        case depthwise(Window)
        /// Inputs: two maps of equal shape.
        case add
        /// Upsampling to twice the height and width: bilinear, half-pixel centres. Inputs: the map, and optionally a
        /// second one of the output's shape that is added after the activation.
        case double
        /// Maximum of each 2x2 pixels.
        case maxPool
        /// Four quarters of the channels become 2x2 pixels.
        case depthToSpace
        case sigmoid
    }

    /// A layer.
    package struct Node {
        var operation: Operation
        var inputs: [Value]
        var output: Value
        var activation: Activation
    }

    /// A result of the network: several values, concatenated.
    package struct Output {
        /// Shape without the leading 1.
        package var shape: [Int]
        /// The concatenated values.
        package var parts: [Value]
    }

    /// File name for error messages.
    package let file: String
    /// The input picture.
    package internal(set) var input: Value
    /// The shape of every value.
    package internal(set) var shapes: [Value: MapShape]
    /// The layers, sorted so that every value is computed before it is used.
    package internal(set) var nodes: [Node]
    /// The wanted results.
    package internal(set) var outputs: [Output]

    /// Shape of the input picture.
    package var inputShape: MapShape { shape(input) }

    /// Checks that the network takes the expected input.
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

    /// Multiplications per run of a node, in millions; for reports.
    func megaMultiplications(_ node: Node) -> Double {
        switch node.operation {
        case .convolution(let window), .depthwise(let window):
            let perPixel = window.weights.count
            // A depthwise weight serves one channel, so both kinds multiply once per weight and pixel.
            return Double(shape(node.output).pixels * perPixel) / 1e6
        default: return 0
        }
    }
}

extension Graph.Operation {
    /// Name for reports.
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
