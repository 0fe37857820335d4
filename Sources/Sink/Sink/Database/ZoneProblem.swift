extension SinkDatabase {
    /// A node that named a time zone that PostgreSQL does not know.
    package struct ZoneProblem: Sendable, Hashable, CustomStringConvertible {
        /// The gym's id.
        package let site: String
        /// The node's id.
        package let node: String
        /// What it named, at most 100 characters.
        package let zone: String
        /// The zone in which the gym's days are computed all the same.
        package let inUse: String

        package var description: String {
            let shown = String(zone.unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) })
            return "PostgreSQL does not know the time zone \"\(shown)\" of \(site)/\(node), so the gym's days stay "
                + "those of \(inUse): give the node a name such as Europe/Berlin as node.time_zone"
        }
    }
}
