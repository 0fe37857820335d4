import GRDB

/// A session that is not stored, and where it went.
public struct MissingSession: Error, Equatable, Sendable {
    /// What was asked for.
    public let id: String
    /// The session of which it is a part now, because the person was known again; `nil` for one that is unknown or deleted.
    public let mergedInto: String?

    /// Says where a session went.
    public init(id: String, mergedInto: String? = nil) { (self.id, self.mergedInto) = (id, mergedInto) }
}

extension MissingSession: CustomStringConvertible {
    public var description: String {
        mergedInto.map {
            "session '\(id)' is a part of session '\($0)' now: the person was known again. Ask for that one"
        }
            ?? "there is no session '\(id)': it may have been deleted; `spotter history sessions --json` lists the ids"
    }
}

extension MissingSession {
    /// Sessions follow one another at most so often. A longer chain is no work of the node.
    private static let maximumSteps = 100

    /// Looks into the record log for where a session went.
    init(_ typed: String, in db: Database) throws {
        var merged = try TypedId(typed).mergedSession(in: db)
        for _ in 0..<Self.maximumSteps {
            guard let id = merged, let further = try TypedId(id).mergedSession(in: db) else { break }
            merged = further
        }
        // The session that went on may have been deleted since.
        let isStored = try merged.map { id in
            try Bool.fetchOne(db, sql: "SELECT 1 FROM session WHERE id = ?", arguments: [id]) == true
        }
        self.init(id: typed, mergedInto: isStored == true ? merged : nil)
    }
}

extension HistoryQuery {
    /// Says where a session went that is not stored.
    ///
    /// - Throws: ``HistoryError``.
    public func missingSession(_ typed: String) throws -> MissingSession {
        try read { try MissingSession(typed, in: $0) }
    }
}
