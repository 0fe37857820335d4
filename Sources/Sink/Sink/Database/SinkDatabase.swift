import Foundation

/// The database as the sink uses it: one connection, one transaction a batch.
package final class SinkDatabase {
    private let connection: PostgresConnection

    /// What became of a batch.
    package struct Outcome: Sendable {
        /// The position of every history that the batch touched.
        package var positions: [StreamPosition] = []
        /// Records that were new, or a higher revision.
        package var stored = 0
        /// Records that had come before.
        package var known = 0
        /// Records that PostgreSQL itself refused.
        package var refused = 0
    }

    /// Connects, and makes the temporary tables.
    ///
    /// - Throws: ``PostgresError``, ``SchemaError``.
    package init(_ settings: String) throws {
        connection = try PostgresConnection(settings)
        try SchemaFiles.checkVersion(connection)
        try connection.execute(SchemaFiles.incoming, "making the temporary tables")
    }

    /// Tries to become the one sink that works. The right ends with the connection.
    ///
    /// - Returns: `false` while another sink has it.
    /// - Throws: ``PostgresError``.
    package func lock(_ name: String) throws -> Bool {
        let rows = try connection.rows(
            "SELECT pg_try_advisory_lock(hashtext('spotter-sink'), hashtext($1))", [name], "taking the lock")
        return rows.first?.first == "t"
    }

    /// Stores a batch, wholly or not at all. A record that PostgreSQL refuses is stored as rejected, and the others
    /// without it.
    ///
    /// - Throws: ``PostgresError`` when nothing was stored.
    package func store(_ batch: Batch) throws -> Outcome {
        do {
            return try storeWhole(batch)
        } catch let error as PostgresError where error.isFaultOfData {
            return try storeInParts(batch)
        }
    }

    private func storeWhole(_ batch: Batch) throws -> Outcome {
        try transaction {
            for (name, rows) in BatchRows(batch).tables { try connection.copy(rows, into: name) }
            let rows = try connection.rows(
                "SELECT \(StreamPosition.columns), stored, known FROM spotter.store_batch()", [], "storing a batch")
            var outcome = Outcome()
            for row in rows {
                if let position = StreamPosition(row) { outcome.positions.append(position) }
                outcome.stored += row[8].flatMap { Int($0) } ?? 0
                outcome.known += row[9].flatMap { Int($0) } ?? 0
            }
            return outcome
        }
    }

    /// Halves the batch until the record at fault is alone, and stores that as rejected.
    private func storeInParts(_ batch: Batch) throws -> Outcome {
        var outcome = Outcome()
        var parts: [Batch] = [
            Batch(records: [], nodes: batch.nodes, rejected: batch.rejected), Batch(records: batch.records),
        ]
        while let part = parts.popLast() {
            do {
                let result = try storeWhole(part)
                outcome.positions += result.positions
                outcome.stored += result.stored
                outcome.known += result.known
            } catch let error as PostgresError where error.isFaultOfData {
                if part.records.count > 1 {
                    let middle = part.records.count / 2
                    parts.append(Batch(records: Array(part.records[middle...])))
                    parts.append(Batch(records: Array(part.records[..<middle])))
                } else if let record = part.records.first {
                    guard !record.isStandIn else { continue }
                    outcome.refused += 1
                    var refused = Batch()
                    refused.reject(RejectedMessage(record, reason: error.reason, received: Date()))
                    parts.append(refused)
                } else {
                    try storeNodes(of: part, &outcome)
                }
            }
        }
        return outcome
    }

    /// Stores each node's messages alone, and drops those that PostgreSQL refuses: newer ones will come.
    private func storeNodes(of part: Batch, _ outcome: inout Outcome) throws {
        for (key, node) in part.nodes {
            do {
                outcome.positions += try storeWhole(Batch(records: [], nodes: [key: node])).positions
            } catch let error as PostgresError where error.isFaultOfData {
                outcome.refused += 1
            }
        }
        for message in part.rejected {
            do {
                _ = try storeWhole(Batch(records: [], rejected: [message]))
            } catch let error as PostgresError where error.isFaultOfData {
                outcome.refused += 1
            }
        }
    }

    /// The positions of all histories that nodes use now.
    ///
    /// - Throws: ``PostgresError``.
    package func positions() throws -> [StreamPosition] {
        try connection.rows(
            """
            SELECT p.site, n.node, s.epoch, true, at.prefix, at.highest, at.missing_from, at.missing_to
            FROM spotter.stream s JOIN spotter.node n USING (node_id) JOIN spotter.site p USING (site_id)
            CROSS JOIN LATERAL spotter.positions(s.received) at WHERE s.epoch = n.epoch
            """, [], "reading the positions"
        ).compactMap { StreamPosition($0) }
    }

    /// The nodes whose time zone PostgreSQL does not know.
    ///
    /// - Throws: ``PostgresError``.
    package func zoneProblems() throws -> [ZoneProblem] { try Self.zoneProblems(connection) }

    static func zoneProblems(_ connection: PostgresConnection) throws -> [ZoneProblem] {
        try connection.rows(
            """
            SELECT site, node, zone_problem, time_zone FROM spotter.node_health
            WHERE zone_problem IS NOT NULL ORDER BY 1, 2
            """, [], "reading the time zones"
        ).map { ZoneProblem(site: $0[0] ?? "", node: $0[1] ?? "", zone: $0[2] ?? "", inUse: $0[3] ?? "") }
    }

    /// Computes the sums of days that have changed.
    ///
    /// - Returns: how many were computed, at most `limit`.
    /// - Throws: ``PostgresError``.
    package func refreshDays(limit: Int) throws -> Int {
        let rows = try connection.rows(
            "SELECT spotter.refresh_days($1::int)", [String(limit)], "computing the sums of days")
        return rows.first?.first?.flatMap { Int($0) } ?? 0
    }

    /// Makes the partitions of the coming months, and deletes months that are older than `keptMonths`; 0 keeps all.
    ///
    /// - Throws: ``PostgresError``.
    package func maintain(keptMonths: Int) throws {
        _ = try connection.rows("SELECT spotter.ensure_partitions()", [], "making partitions")
        guard keptMonths > 0 else { return }
        _ = try connection.rows("SELECT spotter.drop_before($1::int)", [String(keptMonths)], "deleting old months")
    }

    /// Asks for nothing, to notice that the connection or the lock is gone.
    ///
    /// - Throws: ``PostgresError``.
    package func ping() throws { try connection.execute("SELECT 1", "asking PostgreSQL") }

    private func transaction<Result>(_ work: () throws -> Result) throws -> Result {
        try connection.execute("BEGIN", "beginning a transaction")
        do {
            let result = try work()
            try connection.execute("COMMIT", "committing a batch")
            return result
        } catch {
            // On a broken connection the server rolls back by itself.
            if connection.isOpen { try connection.execute("ROLLBACK", "rolling back") }
            throw error
        }
    }
}
