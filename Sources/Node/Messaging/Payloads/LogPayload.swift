import Foundation
import History
import Records

/// `log`: a warning or an error of the node.
public struct LogPayload: Sendable, Codable, Equatable {
    /// The levels the command `log_level` accepts, most detailed first.
    public static let levels = ["trace", "debug", "info", "notice", "warning", "error"]

    /// The contract's version.
    public var v = 1
    /// The severity: `warning`, `error` or `critical`.
    public var level: String
    /// The text, at most 1,000 characters.
    public var message: String
    /// When it was logged.
    public var ts: Date

    /// A log line with at most 1,000 characters of `message`. User and password are removed from addresses in it.
    public init(level: String, message: String, ts: Date) {
        self.level = level
        self.message = String(message.prefix(1000)).replacing(/:\/\/[^\/\s@]*@/, with: "://…@")
        self.ts = ts
    }
}

extension LogPayload {
    /// The contract's schema of this payload.
    package static let schema = Schema.object([
        ("v", .contractVersion), ("level", .required(.text(words: ["warning", "error", "critical"]))),
        ("message", .required(.words)),
        ("ts", .required(.moment)),
    ])
}
