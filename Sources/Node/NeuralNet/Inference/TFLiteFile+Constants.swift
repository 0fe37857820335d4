import CKernels

extension TFLiteFile {
    /// A tensor's constant numbers, unpacked on demand: in the file, weights take a quarter of their unpacked size.
    struct Constant {
        fileprivate let file: TFLiteFile
        fileprivate let tensor: Tensor

        var count: Int { tensor.count }
        /// Whether the file stores them as 16-bit floats, so that keeping 16 bits loses nothing.
        var isHalf: Bool { tensor.type == .float16 }

        /// All numbers, dense and as 32-bit floats.
        ///
        /// - Throws: ``ModelError/damaged(file:reason:)`` when their count is wrong or one is not finite.
        func values() throws(ModelError) -> [Float] { try file.values(of: tensor) }
    }

    /// The constant behind a tensor, through the operators that widen (DEQUANTIZE) or unpack (DENSIFY) it.
    ///
    /// - Throws: ``ModelError/damaged(file:reason:)`` when there is none, ``ModelError/unsupported(file:reason:)`` when
    ///   it is computed.
    func constant(_ index: Int, producers: [Int: Operator]) throws(ModelError) -> Constant {
        var index = index
        // A chain of DENSIFY and DEQUANTIZE has at most two operators. The limit ends the loop for a cyclic file.
        for _ in 0..<4 {
            guard tensors.indices.contains(index) else { throw buffer.damaged("a layer's weights are left out") }
            guard let producer = producers[index] else { break }
            guard producer.code == .dequantize || producer.code == .densify else {
                throw .unsupported(file: name, reason: "the weights of a layer are computed")
            }
            index = producer.inputs[0]
        }
        return Constant(file: self, tensor: tensors[index])
    }

    private func values(of tensor: Tensor) throws(ModelError) -> [Float] {
        let stored: [Float]
        switch tensor.type {
        case .float32:
            stored = try buffer.scalars(UInt32.self, at: tensor.bytes.lowerBound, count: tensor.bytes.count / 4)
                .map(Float.init(bitPattern:))
        case .float16:
            stored = try buffer.scalars(UInt16.self, at: tensor.bytes.lowerBound, count: tensor.bytes.count / 2)
                .widened(with: KernelLevel.best.kernels)
        case .int32:
            throw buffer.damaged("the weights of a layer are whole numbers")
        }
        guard stored.allSatisfy(\.isFinite) else { throw buffer.damaged("a weight is not a finite number") }
        let values =
            try tensor.sparsity.map { table throws(ModelError) in
                try densify(stored, shape: tensor.shape, sparsity: table)
            } ?? stored
        guard values.count == tensor.count, !values.isEmpty else {
            throw buffer.damaged("a tensor of shape \(tensor.shape) has \(values.count) numbers")
        }
        return values
    }

    /// A tensor's constant integers.
    func wholeNumbers(_ index: Int) throws(ModelError) -> [Int] {
        guard tensors.indices.contains(index), tensors[index].type == .int32 else {
            throw buffer.damaged("a padding is not made of whole numbers")
        }
        let bytes = tensors[index].bytes
        return try buffer.scalars(Int32.self, at: bytes.lowerBound, count: bytes.count / 4).map(Int.init)
    }

    /// Unpacks `[outputs, 1, 1, inputs]` weights stored as compressed rows, one row per output.
    private func densify(_ stored: [Float], shape: [Int], sparsity: FlatTable) throws(ModelError) -> [Float] {
        let order = try sparsity.numbers(0, of: Int32.self)
        let blocks = try sparsity.numbers(1, of: Int32.self)
        let dimensions = try sparsity.tables(2)
        guard shape.count == 4, shape[1] == 1, shape[2] == 1, order == [0, 1, 2, 3], blocks.isEmpty,
            dimensions.count == 4, try dimensions[3].number(0, default: UInt8(0)) == 1
        else { throw .unsupported(file: name, reason: "its sparse weights are not compressed rows") }
        let segments = try indices(dimensions[3], type: 2, values: 3)
        let columns = try indices(dimensions[3], type: 4, values: 5)
        guard segments.count == shape[0] + 1, segments.first == 0, segments.last == stored.count,
            columns.count == stored.count, zip(segments, segments.dropFirst()).allSatisfy({ $0 <= $1 }),
            columns.allSatisfy({ 0..<shape[3] ~= $0 })
        else { throw buffer.damaged("its sparse weights do not fit their shape \(shape)") }
        var dense = [Float](repeating: 0, count: shape[0] * shape[3])
        for row in 0..<shape[0] {
            for entry in segments[row]..<segments[row + 1] { dense[row * shape[3] + columns[entry]] = stored[entry] }
        }
        return dense
    }

    /// A sparse dimension's integers: a union of 32-, 16- and 8-bit vectors.
    private func indices(_ dimension: FlatTable, type: Int, values: Int) throws(ModelError) -> [Int] {
        guard let vector = try dimension.table(values) else { return [] }
        switch try dimension.number(type, default: UInt8(0)) {
        case 1: return try vector.numbers(0, of: Int32.self).map(Int.init)
        case 2: return try vector.numbers(0, of: UInt16.self).map(Int.init)
        case 3: return try vector.numbers(0, of: UInt8.self).map(Int.init)
        default: throw buffer.damaged("its sparse weights have no index type")
        }
    }
}

extension [UInt16] {
    /// Converts 16-bit floats to 32-bit floats.
    fileprivate func widened(with kernels: ck_kernels) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { target, written in
            withUnsafeBufferPointer { source in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                // Both buffers have room for `count` numbers.
                kernels.widen_halves(from, count, to)
                written = count
            }
        }
    }
}
