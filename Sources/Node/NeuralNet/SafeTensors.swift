import Foundation
import Records

/// Named tensors and text in one file, in the safetensors format (https://huggingface.co/docs/safetensors): eight bytes
/// of header length (little-endian), a JSON header with types, shapes and byte ranges, then the numbers.
///
/// Only `F32` is read and written. No file can make the reader crash or allocate more than the file's size.
public struct SafeTensors: Sendable, Equatable {
    /// The tensors by name.
    public var tensors: [String: Tensor<Float>]
    /// The header's `__metadata__`.
    public var metadata: [String: String]

    /// A larger header counts as damaged. Ours have about ten kilobytes.
    static let longestHeader = 16 << 20

    /// The contents of a new file.
    public init(tensors: [String: Tensor<Float>], metadata: [String: String] = [:]) {
        self.tensors = tensors
        self.metadata = metadata
    }

    /// Reads a file.
    ///
    /// - Throws: ``SafeTensorsError`` when the file cannot be read or is damaged.
    public init(contentsOf url: URL) throws(SafeTensorsError) {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw .unreadable(file: url.path, reason: error.fileReason)
        }
        try self.init(data: data, file: url.path)
    }

    /// Decodes a file's bytes.
    ///
    /// - Parameter file: file name for error messages.
    /// - Throws: ``SafeTensorsError/damaged(file:reason:)`` or
    ///   ``SafeTensorsError/unsupportedType(file:tensor:found:)``.
    public init(data: Data, file: String) throws(SafeTensorsError) {
        let bytes = [UInt8](data)
        guard bytes.count >= 8 else { throw .damaged(file: file, reason: "it has only \(bytes.count) bytes") }
        let length = bytes[0..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(Self.longestHeader), length <= UInt64(bytes.count - 8) else {
            throw .damaged(file: file, reason: "its header claims \(length) bytes of \(bytes.count - 8)")
        }
        let start = 8 + Int(length)
        let header: Header
        do { header = try JSONDecoder().decode(Header.self, from: Data(bytes[8..<start])) } catch {
            throw .damaged(file: file, reason: "its header is not a list of tensors")
        }
        metadata = header.metadata
        tensors = try header.tensors(in: bytes[start...], file: file)
    }

    /// The file's bytes. Equal tensors and metadata always give equal bytes.
    public func encoded() -> Data {
        var entries: [String: Header.Entry] = [:]
        var numbers = Data()
        for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
            let begin = numbers.count
            for value in tensor.values {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { numbers.append(contentsOf: $0) }
            }
            entries[name] = Header.Entry(dtype: "F32", shape: tensor.shape, data_offsets: [begin, numbers.count])
        }
        var header = Header(metadata: metadata, entries: entries).encoded()
        // The numbers start at a multiple of eight, so that other readers may memory-map them.
        header.append(contentsOf: [UInt8](repeating: 0x20, count: (8 - header.count % 8) % 8))
        var file = Data()
        withUnsafeBytes(of: UInt64(header.count).littleEndian) { file.append(contentsOf: $0) }
        return file + header + numbers
    }

    /// Writes the file atomically: readers see the old file or the new one, never half of it.
    ///
    /// - Throws: ``SafeTensorsError/unwritable(file:reason:)``. The old file, if any, is then unchanged.
    public func write(to url: URL) throws(SafeTensorsError) {
        do { try encoded().write(toPlace: url) } catch {
            throw .unwritable(file: url.path, reason: error.fileReason)
        }
    }
}
