import Actions
import Foundation
import GRDB
import NeuralNet

/// Who a node is, and which life of its database speaks: `(node, epoch, seq)` orders its records for ever.
public struct NodeIdentity: Sendable, Equatable {
    /// `sp-` and ten characters, or the configured id.
    public let node: String
    /// UUIDv7 made when the database was; a new one tells receivers that sequence numbers begin again.
    public let epoch: String

    /// Reads the identity, making what is missing.
    static func establish(in pool: DatabasePool, configured: String?, wall: Date) throws -> NodeIdentity {
        try pool.write { db in
            let known = try Meta.value(.nodeId, in: db)
            let node = configured ?? known ?? defaultNode()
            if node != known { try Meta.set(.nodeId, node, in: db) }
            if let epoch = try Meta.value(.epoch, in: db) { return NodeIdentity(node: node, epoch: epoch) }
            let epoch = UUIDv7.string(at: wall)
            try Meta.set(.epoch, epoch, in: db)
            try Meta.set(.created, String(Timestamp.milliseconds(wall)), in: db)
            return NodeIdentity(node: node, epoch: epoch)
        }
    }

    /// Made from a digest of the machine's id, which must not be shown itself (machine-id(5)); random without one.
    package static func defaultNode(machineIdFile: String = "/etc/machine-id") -> String {
        let machine = FileManager.default.contents(atPath: machineIdFile).map { String(decoding: $0, as: UTF8.self) }
        let id = machine?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        let digits = Array(SHA256.hex(of: "spotter node \(id)".utf8))
        let digest = (0..<10).map { index in
            id.count < 32 ? UInt8.random(in: 0...255) : UInt8(String(digits[2 * index...2 * index + 1]), radix: 16) ?? 0
        }
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        return "sp-" + String(digest.map { alphabet[Int($0 & 31)] })
    }
}
