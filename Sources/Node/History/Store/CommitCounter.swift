import GRDB
import Synchronization

/// Counts a store's commits, because each one wears the SD card.
final class CommitCounter: TransactionObserver, Sendable {
    private let commits = Atomic(0)

    var count: Int { commits.load(ordering: .relaxed) }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits.add(1, ordering: .relaxed) }
    func databaseDidRollback(_ db: Database) {}
}
