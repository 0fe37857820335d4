import Foundation

extension SafeTensors {
    /// The JSON header.
    struct Header: Decodable {
        /// Position of one tensor. The names are the format's own.
        struct Entry: Codable {
            let dtype: String
            let shape: [Int]
            /// First byte, and the byte after the last, counted from the header's end.
            let data_offsets: [Int]
        }

        let metadata: [String: String]
        let entries: [String: Entry]

        init(metadata: [String: String], entries: [String: Entry]) {
            self.metadata = metadata
            self.entries = entries
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var metadata: [String: String] = [:]
            var entries: [String: Entry] = [:]
            for key in container.allKeys {
                if key.stringValue == Key.metadata.stringValue {
                    metadata = try container.decode([String: String].self, forKey: key)
                } else {
                    entries[key.stringValue] = try container.decode(Entry.self, forKey: key)
                }
            }
            self.metadata = metadata
            self.entries = entries
        }

        func encoded() -> Data {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                return try encoder.encode(self)
            } catch {
                preconditionFailure("strings and integers always encode: \(error)")
            }
        }

        /// Extracts the tensors from the bytes after the header.
        func tensors(in bytes: ArraySlice<UInt8>, file: String) throws(SafeTensorsError) -> [String: Tensor<Float>] {
            var tensors: [String: Tensor<Float>] = [:]
            var covered = 0
            let inOrder = entries.sorted { $0.value.data_offsets.lexicographicallyPrecedes($1.value.data_offsets) }
            for (name, entry) in inOrder {
                guard entry.dtype == "F32" else {
                    throw .unsupportedType(file: file, tensor: name, found: entry.dtype)
                }
                guard let size = entry.byteCount, entry.data_offsets.count == 2, entry.begin == covered,
                    size == entry.data_offsets[1] - covered, size <= bytes.count - covered
                else {
                    throw .damaged(
                        file: file,
                        reason: "tensor \(name) of shape \(entry.shape) does not fit its bytes \(entry.data_offsets)")
                }
                let range = bytes[bytes.startIndex + covered..<bytes.startIndex + covered + size]
                tensors[name] = Tensor(shape: entry.shape, values: Self.floats(range))
                covered += size
            }
            guard covered == bytes.count else {
                let rest = bytes.count - covered
                throw .damaged(file: file, reason: "\(rest) bytes behind the last tensor belong to none")
            }
            return tensors
        }

        private static func floats(_ bytes: ArraySlice<UInt8>) -> [Float] {
            bytes.withUnsafeBytes { raw in
                (0..<raw.count / 4).map { index in
                    let bits = raw.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
                    return Float(bitPattern: UInt32(littleEndian: bits))
                }
            }
        }
    }
}

extension SafeTensors.Header: Encodable {
    struct Key: CodingKey {
        static let metadata = Key(stringValue: "__metadata__")
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if !metadata.isEmpty { try container.encode(metadata, forKey: .metadata) }
        for (name, entry) in entries { try container.encode(entry, forKey: Key(stringValue: name)) }
    }
}

extension SafeTensors.Header.Entry {
    /// First byte, or -1 if the entry has none.
    var begin: Int { data_offsets.first ?? -1 }

    /// Size in bytes that the shape requires; `nil` if an axis is negative or the product overflows.
    var byteCount: Int? {
        var count = 4
        for axis in shape {
            let (product, overflow) = count.multipliedReportingOverflow(by: axis)
            guard axis >= 0, !overflow else { return nil }
            count = product
        }
        return count
    }
}
