import Foundation
import Records

/// A batch as rows of the temporary tables that `incoming.sql` makes. SQL takes a record's body apart by the names in it.
package struct BatchRows {
    private(set) var records = CopyText()
    private(set) var nodes = CopyText()
    private(set) var rejected = CopyText()

    /// The rows of all messages of a batch.
    package init(_ batch: Batch) {
        for (line, record) in batch.records.enumerated() { add(record, line: Int64(line + 1)) }
        for (line, node) in batch.nodes.values.enumerated() { add(node, line: Int64(line + 1)) }
        for message in batch.rejected {
            rejected.add(Timestamp.text(message.received))
            for text in [message.topic, message.reason, message.payload] { rejected.add(text) }
            rejected.endRow()
        }
    }

    /// The tables that have rows, each with the columns of its rows.
    package var tables: [(name: String, rows: CopyText)] {
        let all = [
            (
                "incoming_message (line, site, node, epoch, type, id, made, body, seq, rev, final, synced, deleted)",
                records
            ),
            ("incoming_node (line, site, node, kind, received, body)", nodes),
            ("incoming_rejected (received, topic, reason, payload)", rejected),
        ]
        return all.filter { !$0.1.isEmpty }.map { (name: $0.0, rows: $0.1) }
    }

    private mutating func add(_ record: IncomingRecord, line: Int64) {
        records.add(line)
        let texts = [
            record.site, record.node, record.epoch, record.type.rawValue, record.id, record.made, record.body,
        ]
        for text in texts { records.add(text) }
        for number in [record.seq, record.rev] { records.add(number) }
        for flag in [record.isFinal, record.isSynced, record.isDeletion] { records.add(flag) }
        records.endRow()
    }

    private mutating func add(_ node: IncomingNode, line: Int64) {
        nodes.add(line)
        for text in [node.site, node.node, node.kind.rawValue, Timestamp.text(node.received), node.text] {
            nodes.add(text)
        }
        nodes.endRow()
    }
}
