/// How complete the records of all nodes are: the output of `spotter-sink status`.
package struct FleetSummary: Encodable, Sendable {
    /// One node.
    package struct Node: Encodable, Sendable {
        /// The gym's id.
        package let site: String
        /// The node's id.
        package let node: String
        /// `online`, `offline`, …; `nil` when it was never heard.
        package let state: String?
        /// When it was last heard.
        package let lastSeen: String?
        /// Since when, in seconds.
        package let secondsSilent: Double?
        /// Every record up to this position is stored.
        package let prefix: Int64
        /// Records that are missing before the last one.
        package let missing: Int64
        /// Records that the node has declared as lost, or that were refused here.
        package let declaredLost: Int64
    }

    /// Whether a sink holds the lock.
    package let isAtWork: Bool
    /// All nodes.
    package let nodes: [Node]
    /// Messages that do not fit the contract.
    package let rejected: Int64

    /// Nodes that were not heard for two minutes.
    package var silent: Int { nodes.count { $0.secondsSilent.map { $0 > 120 } ?? true } }
    /// Records of all nodes that are missing.
    package var missing: Int64 { Self.sum(nodes.map(\.missing)) }
    /// Records of all nodes that are declared as lost or were refused.
    package var declaredLost: Int64 { Self.sum(nodes.map(\.declaredLost)) }

    /// Asks the database.
    ///
    /// - Throws: ``PostgresError``, ``SchemaError``.
    package init(_ connection: PostgresConnection, consumer: String, shard: Shard) throws {
        try SchemaFiles.checkVersion(connection)
        // The lock is only looked at: the sink that gets it at once has it until the end of this transaction.
        let free = try connection.rows(
            "SELECT pg_try_advisory_xact_lock(hashtext('spotter-sink'), hashtext($1))", ["\(consumer) \(shard.text)"],
            "looking at the lock")
        isAtWork = free.first?.first != "t"
        nodes = try connection.rows(
            """
            SELECT c.site, c.node, h.state, date_trunc('second', h.last_seen), h.seconds_silent, c.prefix, c.missing, c.declared_lost
            FROM spotter.completeness c LEFT JOIN spotter.node_health h USING (site, node)
            WHERE c.is_current ORDER BY 1, 2
            """, [], "reading the nodes"
        ).map { row in
            Node(
                site: row[0] ?? "", node: row[1] ?? "", state: row[2], lastSeen: row[3],
                secondsSilent: row[4].flatMap { Double($0) }, prefix: Self.number(row[5]), missing: Self.number(row[6]),
                declaredLost: Self.number(row[7]))
        }
        let count = try connection.rows("SELECT count(*) FROM spotter.rejected", [], "counting")
        rejected = Self.number(count.first?.first ?? nil)
    }

    /// A node can claim any position, so the sum is limited.
    private static func sum(_ counts: [Int64]) -> Int64 {
        counts.reduce(0) { sum, count in
            let (total, isTooLarge) = sum.addingReportingOverflow(count)
            return isTooLarge ? .max : total
        }
    }

    private static func number(_ text: String?) -> Int64 { text.flatMap { Int64($0) } ?? 0 }
}
