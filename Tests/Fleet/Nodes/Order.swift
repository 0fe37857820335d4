import Foundation

/// A line on standard input: `{"do":"restore","node":7}`.
struct Order: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
        /// Backs a node up, and restores the backup some seconds later.
        case restore
        /// Names a session of a node that has ended.
        case pick
        /// Deletes a session of a node.
        case delete
        /// No new records: sessions end, everything is written, publishing goes on.
        case stop
        /// Ends the program.
        case quit
    }

    let kind: Kind
    var node: Int?
    var id: String?
    var seconds: Double?

    enum CodingKeys: String, CodingKey {
        case kind = "do"
        case node, id, seconds
    }

    init(_ kind: Kind) { self.kind = kind }
}
