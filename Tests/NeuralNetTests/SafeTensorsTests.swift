import Foundation
import NeuralNet
import Testing

@Suite struct SafeTensorsTests {
    private static let example = SafeTensors(
        tensors: [
            "b": Tensor(shape: [2, 3], values: [1, -2, 3.5, .leastNonzeroMagnitude, 0, .greatestFiniteMagnitude]),
            "a": Tensor(shape: [2], values: [-0.0, .pi]), "scalar": Tensor(shape: [], values: [7]),
            "nothing": Tensor(shape: [0, 4], values: []),
        ],
        metadata: ["spotter": #"{"text":"with \"quotes\", / and ü"}"#])

    @Test func `what is written is read back`() throws {
        let read = try SafeTensors(data: Self.example.encoded(), file: "example")
        #expect(read == Self.example)
    }

    @Test func `the same contents give the same bytes, with numbers at a multiple of eight`() throws {
        let data = Self.example.encoded()
        #expect(data == Self.example.encoded())
        #expect(data[0] % 8 == 0)
    }

    @Test func `a file is written in one step and read from disk`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).safetensors")
        defer { try? FileManager.default.removeItem(at: url) }
        try Self.example.write(to: url)
        #expect(try SafeTensors(contentsOf: url) == Self.example)
    }

    @Test func `a missing file is reported as missing`() {
        #expect(throws: SafeTensorsError.self) { try SafeTensors(contentsOf: URL(filePath: "/no/such/file")) }
    }

    /// A file with this header text, its true or claimed length, and this many bytes of numbers.
    private static func file(_ header: String, length: UInt64? = nil, numbers: Int) -> Data {
        var data = Data()
        withUnsafeBytes(of: (length ?? UInt64(header.utf8.count)).littleEndian) { data.append(contentsOf: $0) }
        return data + Data(header.utf8) + Data(count: numbers)
    }

    private static let damaged: [(String, Data)] = [
        ("empty", Data()), ("seven bytes", Data(count: 7)),
        ("header longer than the file", file("{}", length: 3, numbers: 0)),
        ("header of 2^63 bytes", file("{}", length: 1 << 63, numbers: 0)),
        ("header of 2^64 - 1 bytes", file("{}", length: .max, numbers: 8)),
        ("no JSON", file("nonsense", numbers: 0)), ("JSON list", file("[]", numbers: 0)),
        ("deep JSON", file(String(repeating: "[", count: 100_000), numbers: 0)),
        ("not UTF-8", Data([2, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFE])),
        ("no offsets", file(#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[]}}"#, numbers: 4)),
        ("one offset", file(#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}}"#, numbers: 4)),
        ("backwards", file(#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}"#, numbers: 4)),
        ("negative offset", file(#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}"#, numbers: 4)),
        ("behind the end", file(#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, numbers: 4)),
        ("other size than shape", file(#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#, numbers: 4)),
        ("negative axis", file(#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#, numbers: 4)),
        (
            "overflowing shape",
            file(#"{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4]}}"#, numbers: 4)
        ),
        ("huge offset", file(#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,1e40]}}"#, numbers: 4)),
        (
            "overlapping tensors",
            file(
                #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"#
                    + #""b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#,
                numbers: 4)
        ),
        ("a hole", file(#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#, numbers: 8)),
        ("bytes of no tensor", file(#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#, numbers: 5)),
        ("metadata that is no text", file(#"{"__metadata__":{"a":1}}"#, numbers: 0)),
    ]

    @Test(arguments: damaged.map(\.0))
    func `a damaged file is an error that says so, never a crash`(name: String) throws {
        let data = try #require(Self.damaged.first { $0.0 == name }?.1)
        let error = #expect(throws: SafeTensorsError.self) { try SafeTensors(data: data, file: "x") }
        guard case .damaged(file: "x", _) = error else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
    }

    @Test func `every truncation of a good file is an error`() {
        let data = Self.example.encoded()
        for length in 0..<data.count {
            #expect(throws: SafeTensorsError.self) { try SafeTensors(data: data.prefix(length), file: "x") }
        }
    }

    @Test func `a file with any byte changed is read or refused, never a crash`() {
        let data = Self.example.encoded()
        for index in data.indices {
            for change in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
                var changed = data
                changed[index] ^= change
                _ = try? SafeTensors(data: changed, file: "x")
            }
        }
    }

    @Test func `an unsupported number type is named in the error`() {
        let data = Self.file(#"{"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}"#, numbers: 2)
        #expect(throws: SafeTensorsError.unsupportedType(file: "x", tensor: "a", found: "F16")) {
            try SafeTensors(data: data, file: "x")
        }
    }
}
