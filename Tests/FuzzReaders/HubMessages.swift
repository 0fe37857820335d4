import Foundation
import Sink

extension FuzzReader {
    /// Messages as the sink gets them from the hub. The first line is the topic, the rest is the payload.
    ///
    /// What fits the contract is made into rows for PostgreSQL. Whatever the message holds, each row has the columns of
    /// its table and no byte that `COPY` refuses.
    static let hubMessages = FuzzReader(name: "hub-messages") { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let message = IncomingMessage(
            topic: String(decoding: parts[0], as: UTF8.self), payload: Array(parts.count > 1 ? parts[1] : Data()),
            prefix: "spotter", received: Date(timeIntervalSince1970: 1_795_258_800))
        var batch = Batch()
        batch.add(message)
        for table in BatchRows(batch).tables {
            precondition(!table.rows.bytes.contains(0), "\(table.name): PostgreSQL's text holds no NUL")
            let rows = String(decoding: table.rows.bytes, as: UTF8.self)
            precondition(Array(rows.utf8) == table.rows.bytes, "\(table.name): not UTF-8")
            let tabs = Set(rows.split(separator: "\n").map { $0.utf8.count { $0 == UInt8(ascii: "\t") } })
            precondition(tabs.count == 1, "\(table.name): rows of \(tabs) tabs")
        }
        if case .rejected(let refused) = message { throw Refused(reason: refused.reason) }
    }

    private struct Refused: Error { let reason: String }
}
