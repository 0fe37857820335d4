import Actions
import Foundation
import GRDB
import Records

/// The identity of a node and of its database file: `(node, epoch, seq)` identifies every record, and orders those of
/// one epoch.
public struct NodeIdentity: Sendable, Equatable {
    /// The configured id, or a generated one: `sp-` and ten characters.
    public let node: String
    /// A UUIDv7 made with the database file. A new epoch tells receivers that sequence numbers start again.
    public let epoch: String

    /// Reads the identity, and creates what is missing.
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

    /// A generated id: a digest of the machine's id, which must not be published itself (machine-id(5)), or random
    /// digits where there is none.
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
