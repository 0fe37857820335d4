import GRDB

/// Ids as people type them: whole, or the beginning or the end of one, or the beginning of its short form.
public struct TypedId: Sendable {
    /// The fewest characters of a part of an id.
    private static let minimumCharacters = 4
    private let text: String

    /// Takes what was typed.
    public init(_ text: String) { self.text = text.lowercased() }

    /// The short form of an id: its end, which is random. The beginning is a time.
    public static func short(_ id: String) -> String { String(id.suffix(8)) }

    /// Whether an id is the typed one, or begins or ends with it, or its short form begins with it.
    package func fits(_ id: String) -> Bool {
        guard text.count >= Self.minimumCharacters else { return id == text }
        return id.hasPrefix(text) || id.hasSuffix(text) || Self.short(id).hasPrefix(text)
    }

    /// The id that is meant; `nil` when no id has this part.
    ///
    /// - Throws: ``AmbiguousId`` when several have it.
    public func find(among ids: some Sequence<String>) throws -> String? {
        var (found, known) = ([String](), Set<String>())
        for id in ids {
            if id == text { return id }
            if fits(id), known.insert(id).inserted { found.append(id) }
        }
        guard found.count < 2 else { throw AmbiguousId(text: text, ids: found) }
        return found.first
    }
}

extension TypedId {
    /// The ids of a table that fit, newest first. SQLite looks at them, so that those of years are not read one by one.
    func candidates(in table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT id FROM \(table) WHERE \(Self.hasText) ORDER BY start_ms DESC, id DESC",
            arguments: ["text": text])
    }

    /// The session of which a session became a part; `nil` for one that did not.
    func mergedSession(in db: Database) throws -> String? {
        let isMeant = text.count < Self.minimumCharacters ? "id = :text" : "(\(Self.hasText))"
        return try String.fetchOne(
            db,
            sql: """
                SELECT json_extract(body, '$.merged_into') FROM record
                WHERE type = 'session' AND final AND \(isMeant) AND json_extract(body, '$.merged_into') IS NOT NULL
                ORDER BY seq DESC LIMIT 1
                """, arguments: ["text": text])
    }

    private static let hasText = """
        substr(id, 1, length(:text)) = :text OR substr(id, -length(:text)) = :text
          OR substr(substr(id, -8), 1, length(:text)) = :text
        """
}

/// Several ids begin or end as typed.
public struct AmbiguousId: Error, Equatable, CustomStringConvertible {
    /// What was typed.
    public let text: String
    /// The ids with it, newest first.
    public let ids: [String]

    public var description: String {
        let shown = ids.prefix(5).joined(separator: ", ")
        let more = ids.count > 5 ? " and \(ids.count - 5) more" : ""
        return "\(ids.count) ids begin or end with '\(text)': give more of one of them (\(shown)\(more))"
    }
}

extension HistoryQuery {
    /// The id of the session that is meant; `nil` if there is none.
    ///
    /// - Throws: ``AmbiguousId``, ``HistoryError``.
    public func sessionId(_ typed: String) throws -> String? {
        try TypedId(typed).find(among: try read { try TypedId(typed).candidates(in: "session", $0) })
    }

    /// The newest sessions among whose names those are looked for of which no day is left.
    private static let sessionsWithNames = 1000

    /// The labels, cameras and zones that are stored. The totals of the days name them all; the many rows of sessions and
    /// predictions are not looked at one by one.
    ///
    /// - Throws: ``HistoryError``.
    public func storedNames() throws -> HistoryNames {
        try read { db in
            let newest = "(SELECT id, camera FROM session ORDER BY start_ms DESC LIMIT \(Self.sessionsWithNames))"
            let cameras = try String.fetchAll(
                db, sql: "SELECT camera FROM day_camera UNION SELECT camera FROM \(newest) ORDER BY 1")
            // `name` holds the labels and the cameras of predictions.
            let labels = try String.fetchAll(
                db,
                sql: """
                    SELECT label FROM day_action UNION SELECT text FROM name
                    UNION SELECT label FROM \(newest) n CROSS JOIN session_action a ON a.session = n.id
                    UNION SELECT label FROM \(try SetCorrection.table(in: db)) ORDER BY 1
                    """)
            let hasZones = try db.tableExists("day_zone")
            let zones = hasZones ? try String.fetchAll(db, sql: "SELECT DISTINCT zone FROM day_zone ORDER BY 1") : []
            return HistoryNames(labels: labels.filter { !cameras.contains($0) }, cameras: cameras, zones: zones)
        }
    }
}
