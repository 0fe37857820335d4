import Foundation
import History
import Records

/// `status`: whether the node is online.
struct StatusPayload: Codable, Equatable {
    enum State: String, Codable { case starting, online, stopped, offline }

    var v = 1
    var state: State
    /// The connection's number. An `offline` with a lower number than the last `online` is outdated.
    var sid: Int64
    /// Absent in the last will, like `run`, `ts` and `clock`, because the will is sent to the broker in advance.
    var boot: String?
    /// The random id of the program's run. Another run with the same node id is another node.
    var run: String?
    var ts: Date?
    var clock: ClockState?
}

extension StatusPayload {
    /// The contract's schema of this payload.
    static let schema = Schema.object([
        ("v", .contractVersion), ("state", .required(.text(words: ["starting", "online", "stopped", "offline"]))),
        ("sid", .connectionNumber),
        ("boot", .optional(.words, "Start of the kernel's boot id. Absent in the will.")),
        ("run", .optional(.words, "Which run of the program says it. Absent in the will.")), ("ts", .optional(.moment)),
        ("clock", .optional(.text(words: ["synced", "unsynced"]))),
    ])
}
