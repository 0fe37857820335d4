import Actions
import Foundation
import History
import Messaging

extension FuzzReader {
    /// Payloads of `ack/<consumer>`, one a line. None may move the cursor back or beyond the existing records.
    static let acknowledgements = FuzzReader(name: "acknowledgements") { bytes in
        let store = try exampleStore.get()
        var sender = try RecordSender(log: store.records, consumers: ["hq"])
        // Only records that were sent can be acknowledged.
        for (number, record) in try sender.next(.now, wall: Date()).enumerated() {
            sender.sent(record, mid: Int32(number + 1))
        }
        let last = try store.records.lastSeq()
        var failure: (any Error)?
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            // `$E` stands for the store's epoch, which differs in every run.
            let text = String(decoding: line, as: UTF8.self).replacing("$E", with: store.identity.epoch)
            let before = sender.acked
            do {
                let position = try JSONDecoder().decode(ConsumerPosition.self, from: Data(text.utf8))
                try sender.acknowledged(position, by: "hq")
            } catch {
                failure = error
            }
            precondition(before...last ~= sender.acked, "a cursor went from \(before) to \(sender.acked)")
        }
        if let failure { throw failure }
    }

    /// Three sessions and their records.
    static let exampleStore = Result {
        let store = try Store(path: try Scratch.url().appending(path: "acknowledged.db").path)
        let writer = try HistoryWriter(store: store, model: ModelStamp(id: "example@0", framesPerSecond: 30))
        let noon = Date(timeIntervalSince1970: 1_795_258_800)
        for number in 0..<3 {
            let action = ActionTotal(label: "squat", frames: 300, seconds: 10, reps: 5, meanConfidence: 0.9)
            writer.enqueue(
                Session(
                    id: "s\(number)", camera: "rack1", track: 1, start: noon, end: noon + 30, endReason: .idle,
                    actions: [action], excludedFrames: [:]), now: .now)
        }
        _ = try writer.flush(now: .now, wall: noon)
        return store
    }
}
