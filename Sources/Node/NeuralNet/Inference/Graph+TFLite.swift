import Foundation

extension Graph {
    /// Reads the network of a `.tflite` file and keeps only what the wanted outputs need.
    ///
    /// - Parameter outputs: the shapes of the wanted outputs without the leading 1, in the order of the results.
    /// - Throws: ``ModelError``.
    package init(contentsOf url: URL, outputs: [[Int]]) throws(ModelError) {
        try self.init(TFLiteFile(contentsOf: url), outputs: outputs)
    }

    init(_ file: TFLiteFile, outputs wanted: [[Int]]) throws(ModelError) {
        var reader = try GraphReader(file)
        try reader.read()
        self = reader.graph
        for shape in wanted {
            guard let index = file.outputs.first(where: { Array(file.tensors[$0].shape.dropFirst()) == shape }) else {
                throw .shapeMismatch(
                    file: file.name, expected: "an output of shape \(shape)",
                    found: "\(file.outputs.map { Array(file.tensors[$0].shape.dropFirst()) })")
            }
            outputs.append(Output(shape: shape, parts: reader.parts(of: index)))
        }
        for value in outputs.flatMap(\.parts) where !nodes.contains(where: { $0.output == value }) {
            throw .damaged(file: file.name, reason: "nothing computes one of its outputs")
        }
        prune()
        // Both engines store the picture in a special layout that only a first layer can read.
        guard !nodes.contains(where: { $0.inputs.count > 1 && $0.inputs.contains(input) }) else {
            throw .unsupported(file: file.name, reason: "a layer adds something to the picture")
        }
    }
}

/// Converts operators to nodes. Constants become weights; padding and reshaping operators disappear.
private struct GraphReader {
    private let file: TFLiteFile
    private(set) var graph: Graph
    private var producers: [Int: TFLiteFile.Operator] = [:]
    /// The source of a reshaped tensor, and the parts of a concatenated one.
    private var aliases: [Int: Int] = [:]
    private var concatenations: [Int: [Int]] = [:]

    init(_ file: TFLiteFile) throws(ModelError) {
        self.file = file
        guard file.inputs.count == 1, file.tensors[file.inputs[0]].type == .float32 else {
            throw .unsupported(file: file.name, reason: "it does not have one input of 32-bit floats")
        }
        graph = Graph(file: file.name, input: file.inputs[0], shapes: [:], nodes: [], outputs: [])
        graph.shapes[graph.input] = try shape(graph.input)
        for entry in file.operators { producers[entry.outputs[0]] = entry }
    }

    func parts(of tensor: Int) -> [Graph.Value] {
        (concatenations[tensor] ?? [tensor]).map(source)
    }

    mutating func read() throws(ModelError) {
        for entry in file.operators {
            switch entry.code {
            case .dequantize, .densify, .pad: break
            case .reshape: aliases[entry.outputs[0]] = source(entry.inputs[0])
            case .concatenation: concatenations[entry.outputs[0]] = entry.inputs
            case .convolution: try append(convolution(entry), entry, inputs: 1)
            case .depthwiseConvolution: try append(depthwise(entry), entry, inputs: 1)
            case .add: try append((.add, activation(entry, 0)), entry, inputs: 2)
            case .resizeBilinear: try append((double(entry), .none), entry, inputs: 1)
            case .maxPool: try append((maxPool(entry), .none), entry, inputs: 1)
            case .depthToSpace: try append((.depthToSpace, .none), entry, inputs: 1)
            case .logistic: try append((.sigmoid, .none), entry, inputs: 1)
            }
        }
    }

    private func source(_ tensor: Int) -> Int { aliases[tensor] ?? tensor }

    private func unsupported(_ reason: String) -> ModelError { .unsupported(file: file.name, reason: reason) }

    /// A tensor's shape as a map for a batch of one. A vector is a map of one pixel.
    private func shape(_ tensor: Int) throws(ModelError) -> MapShape {
        let shape = file.tensors[tensor].shape
        guard shape.count == 4 || shape.count == 2, shape[0] == 1, shape.allSatisfy({ $0 > 0 }) else {
            throw unsupported("a map has the shape \(shape)")
        }
        return shape.count == 4
            ? MapShape(height: shape[1], width: shape[2], channels: shape[3])
            : MapShape(height: 1, width: 1, channels: shape[1])
    }

    private mutating func append(
        _ layer: (Graph.Operation, Activation), _ entry: TFLiteFile.Operator, inputs count: Int
    ) throws(ModelError) {
        guard entry.inputs.count >= count else { throw file.buffer.damaged("a layer lacks an input") }
        let output = entry.outputs[0]
        var inputs: [Int] = []
        for tensor in entry.inputs.prefix(count) {
            let value = source(unpadded(tensor, for: entry.code))
            guard graph.shapes[value] != nil else { throw unsupported("a layer comes before its input is computed") }
            inputs.append(value)
        }
        let node = Graph.Node(operation: layer.0, inputs: inputs, output: output, activation: layer.1)
        let found = try shape(output)
        guard graph.shapes[output] == nil, graph.expectedShape(of: node, output: found) == found else {
            throw unsupported("a layer makes \(found) of \(graph.shape(inputs[0]))")
        }
        graph.shapes[output] = found
        graph.nodes.append(node)
    }

    /// The tensor before an explicit padding operator. The window takes over the padding.
    private func unpadded(_ tensor: Int, for code: TFLiteFile.OperatorCode) -> Int {
        guard code == .convolution || code == .depthwiseConvolution, let pad = producers[tensor], pad.code == .pad
        else { return tensor }
        return pad.inputs[0]
    }

    private func activation(_ entry: TFLiteFile.Operator, _ field: Int) throws(ModelError) -> Activation {
        switch try entry.options?.number(field, default: Int8(0)) ?? 0 {
        case 0: return .none
        case 3: return .relu6
        case let code: throw unsupported("it uses activation \(code)")
        }
    }

    private func convolution(_ entry: TFLiteFile.Operator) throws(ModelError) -> (Graph.Operation, Activation) {
        try (.convolution(window(entry, dilation: 4)), activation(entry, 3))
    }

    private func depthwise(_ entry: TFLiteFile.Operator) throws(ModelError) -> (Graph.Operation, Activation) {
        try (.depthwise(window(entry, dilation: 5)), activation(entry, 4))
    }

    /// Padding, strides, weights and bias of a convolution. `dilation` is the number of its first dilation field.
    private func window(_ entry: TFLiteFile.Operator, dilation: Int) throws(ModelError) -> Graph.Window {
        guard entry.inputs.count == 3, entry.inputs[1] >= 0, let options = entry.options else {
            throw unsupported("a convolution lacks weights or bias")
        }
        let shape = file.tensors[entry.inputs[1]].shape
        let stride = Int(try options.number(1, default: Int32(1)))
        guard shape.count == 4, stride == Int(try options.number(2, default: Int32(1))), 1...2 ~= stride,
            try options.number(dilation, default: Int32(1)) == 1,
            try options.number(dilation + 1, default: Int32(1)) == 1
        else { throw unsupported("a convolution has unequal or large strides, or is dilated") }
        let weights = try file.constant(entry.inputs[1], producers: producers)
        let bias = try file.constant(entry.inputs[2], producers: producers)
        var window = try Graph.Window(
            height: shape[1], width: shape[2], stride: stride, padTop: 0, padLeft: 0, weights: weights,
            bias: bias.values())
        try pad(&window, entry, same: options.number(0, default: Int8(0)) == 0)
        return window
    }

    /// Takes the padding from the preceding PAD operator, or computes SAME padding as TensorFlow does.
    private func pad(_ window: inout Graph.Window, _ entry: TFLiteFile.Operator, same: Bool) throws(ModelError) {
        if let pad = producers[entry.inputs[0]], pad.code == .pad {
            let amounts = pad.inputs.count > 1 ? try file.wholeNumbers(pad.inputs[1]) : []
            guard amounts.count == 8, !same, amounts.allSatisfy({ 0...8 ~= $0 }),
                (amounts[0], amounts[1], amounts[6], amounts[7]) == (0, 0, 0, 0)
            else { throw unsupported("it pads a map by \(amounts)") }
            (window.padTop, window.padLeft) = (amounts[2], amounts[4])
        } else if same {
            let input = try shape(entry.inputs[0]), output = try shape(entry.outputs[0])
            window.padTop = max((output.height - 1) * window.stride + window.height - input.height, 0) / 2
            window.padLeft = max((output.width - 1) * window.stride + window.width - input.width, 0) / 2
        }
    }

    private func double(_ entry: TFLiteFile.Operator) throws(ModelError) -> Graph.Operation {
        // Fields 0 and 1 are sizes that new writers omit.
        guard let options = entry.options, try options.number(2, default: UInt8(0)) == 0,
            try options.number(3, default: UInt8(0)) == 1
        else { throw unsupported("it resizes by corners instead of pixel centres") }
        return .double
    }

    private func maxPool(_ entry: TFLiteFile.Operator) throws(ModelError) -> Graph.Operation {
        guard let options = entry.options else { throw file.buffer.damaged("a pooling has no size") }
        var sizes: [Int32] = []
        for field in 1...4 { sizes.append(try options.number(field, default: 0)) }
        guard sizes == [2, 2, 2, 2], try activation(entry, 5) == .none else { throw unsupported("it pools \(sizes)") }
        return .maxPool
    }
}
