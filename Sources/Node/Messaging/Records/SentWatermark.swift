import History

/// The newest position ever sent, also by earlier runs. No consumer can have a newer record.
///
/// The stored position is up to 50 positions ahead, so it is written rarely. After a crash it is never behind the
/// positions sent; otherwise the node would refuse a valid acknowledgement.
struct SentWatermark {
    private static let ahead: Int64 = 50

    private let store: Store?
    private let epoch: String
    private(set) var position: Int64
    private var onDisk: Int64

    /// - Parameters:
    ///   - store: where the position is stored; `nil` for nowhere.
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
            // An earlier version sent records and stored no position.
            position = try log.lastSeq()
        }
    }

    /// Records that everything up to `seq` is about to be sent.
    mutating func reserve(_ seq: Int64) {
        position = max(position, seq)
        guard let store, seq > onDisk else { return }
        do {
            try store.write("\(epoch) \(seq + Self.ahead)", as: .sent)
            onDisk = seq + Self.ahead
        } catch {
            // A full disk must not stop the records; the position is stored with a later one.
        }
    }
}
