import Foundation
import Records

/// The contents of a `.tflite` file: tensors, and operators in the order they run.
///
/// Source: tensorflow/lite/schema/schema.fbs, version 3, which defines the field numbers below. Only the first subgraph
/// is read.
struct TFLiteFile {
    enum ElementType: UInt8 {
        case float32 = 0
        case float16 = 1
        case int32 = 2
    }

    /// The operators that the pose networks use, with their numbers in the schema.
    enum OperatorCode: Int32 {
        case add = 0
        case concatenation = 2
        case convolution = 3
        case depthwiseConvolution = 4
        case depthToSpace = 5
        case dequantize = 6
        case logistic = 14
        case maxPool = 17
        case reshape = 22
        case resizeBilinear = 23
        case pad = 34
        case densify = 124
    }

    struct Tensor {
        let shape: [Int]
        let type: ElementType
        /// The constant's bytes within the file; empty for computed values.
        let bytes: Range<Int>
        let sparsity: FlatTable?

        var count: Int { shape.reduce(1, *) }
    }

    struct Operator {
        let code: OperatorCode
        /// Tensor numbers; −1 for an omitted input.
        let inputs: [Int]
        let outputs: [Int]
        let options: FlatTable?
    }

    let buffer: FlatBuffer
    let tensors: [Tensor]
    let operators: [Operator]
    let inputs: [Int]
    let outputs: [Int]

    var name: String { buffer.file }

    /// Reads a file and checks that every tensor, operator and constant it refers to lies within it.
    init(contentsOf url: URL) throws(ModelError) {
        let name = url.lastPathComponent
        guard FileManager.default.fileExists(atPath: url.path) else { throw .missing(file: url.path) }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw .unreadable(file: url.path, reason: error.fileReason)
        }
        try self.init(FlatBuffer(file: name, bytes: data))
    }

    init(_ buffer: FlatBuffer) throws(ModelError) {
        self.buffer = buffer
        guard buffer.bytes.count >= 8, buffer.bytes[4..<8].elementsEqual("TFL3".utf8) else {
            throw buffer.damaged("it does not begin like one")
        }
        let model = try buffer.root()
        guard let graph = try model.tables(2).first else { throw buffer.damaged("it holds no graph") }
        tensors = try Self.tensors(of: graph, model: model)
        operators = try Self.operators(of: graph, model: model, tensorCount: tensors.count)
        inputs = try graph.numbers(1, of: Int32.self).map(Int.init)
        outputs = try graph.numbers(2, of: Int32.self).map(Int.init)
        for index in inputs + outputs where !tensors.indices.contains(index) {
            throw buffer.damaged("it names tensor \(index), but has \(tensors.count)")
        }
    }

    private static func tensors(of graph: FlatTable, model: FlatTable) throws(ModelError) -> [Tensor] {
        let buffer = graph.buffer
        var constants: [Range<Int>] = []
        for table in try model.tables(4) { constants.append(try table.bytes(0)) }
        var tensors: [Tensor] = []
        for table in try graph.tables(0) {
            let shape = try table.numbers(0, of: Int32.self).map(Int.init)
            // Limits every product of sizes below, and the memory that a broken file can request.
            guard shape.count <= 8, shape.allSatisfy({ 0 <= $0 && $0 <= 1 << 16 }),
                shape.map(Double.init).reduce(1, *) <= Double(1 << 26)
            else { throw buffer.damaged("tensor \(tensors.count) has the shape \(shape)") }
            let code: UInt8 = try table.number(1, default: 0)
            guard let type = ElementType(rawValue: code) else {
                throw .unsupported(file: buffer.file, reason: "tensor \(tensors.count) has element type \(code)")
            }
            let index = Int(try table.number(2, default: UInt32(0)))
            guard constants.indices.contains(index) else {
                throw buffer.damaged("tensor \(tensors.count) names buffer \(index), but there are \(constants.count)")
            }
            tensors.append(
                Tensor(shape: shape, type: type, bytes: constants[index], sparsity: try table.table(6)))
        }
        return tensors
    }

    private static func operators(
        of graph: FlatTable, model: FlatTable, tensorCount: Int
    ) throws(ModelError) -> [Operator] {
        let buffer = graph.buffer
        var codes: [Int32] = []
        for table in try model.tables(1) {
            // Old writers set only the 8-bit field, new ones set both.
            codes.append(max(Int32(try table.number(0, default: Int8(0))), try table.number(3, default: Int32(0))))
        }
        var operators: [Operator] = []
        for table in try graph.tables(3) {
            let index = Int(try table.number(0, default: UInt32(0)))
            guard codes.indices.contains(index) else { throw buffer.damaged("operator code \(index) is not listed") }
            guard let code = OperatorCode(rawValue: codes[index]) else {
                throw .unsupported(file: buffer.file, reason: "it uses operator \(codes[index])")
            }
            let inputs = try table.numbers(1, of: Int32.self).map(Int.init)
            let outputs = try table.numbers(2, of: Int32.self).map(Int.init)
            guard inputs.allSatisfy({ -1..<tensorCount ~= $0 }), outputs.allSatisfy({ 0..<tensorCount ~= $0 }),
                let first = inputs.first, first >= 0, !outputs.isEmpty
            else { throw buffer.damaged("operator \(operators.count) names tensors that do not exist") }
            operators.append(Operator(code: code, inputs: inputs, outputs: outputs, options: try table.table(4)))
        }
        return operators
    }
}
