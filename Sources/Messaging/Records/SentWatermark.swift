import History

/// The newest position that was ever sent, also by earlier runs. No consumer can have a newer record.
///
/// The mark on disk is up to 50 positions ahead. So it is written rarely, and a crash cannot leave it behind what was
/// sent, which would make the node refuse a true acknowledgement.
struct SentWatermark {
    private static let ahead: Int64 = 50

    private let store: Store?
    private let epoch: String
    private(set) var position: Int64
    private var onDisk: Int64

    /// - Parameters:
    ///   - store: `nil` to keep nothing.
    ///   - acked: the newest position a consumer has.
    init(store: Store?, log: RecordLog, acked: Int64) throws {
        self.store = store
        epoch = log.epoch
        onDisk = 0
        position = acked
        guard let store else { return }
        let words = try store.value(of: .sent)?.split(separator: " ") ?? []
        if words.count == 2, words[0] == log.epoch, let seq = Int64(words[1]) {
            onDisk = seq
            position = max(acked, min(seq, try log.lastSeq()))
        } else if acked > 0 {
            // An earlier version sent records and kept no mark.
            position = try log.lastSeq()
        }
    }

    /// The records up to here are about to be sent.
    mutating func reserve(_ seq: Int64) {
        position = max(position, seq)
        guard let store, seq > onDisk else { return }
        do {
            try store.write("\(epoch) \(seq + Self.ahead)", as: .sent)
            onDisk = seq + Self.ahead
        } catch {
            // A full disk must not stop the records; the mark is written with a later one.
        }
    }
}
