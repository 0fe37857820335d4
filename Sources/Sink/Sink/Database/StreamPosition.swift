/// How far the records of one node's history are stored.
package struct StreamPosition: Sendable, Equatable {
    /// The gym's id.
    package var site: String
    /// The node's id.
    package var node: String
    /// Which history of the node.
    package var epoch: String
    /// Whether this is the history that the node uses now.
    package var isCurrent: Bool
    /// Every position up to this one is stored or declared as lost; 0 while the first is missing.
    package var prefix: Int64
    /// The last position that is stored.
    package var highest: Int64
    /// The first positions that are missing before ``highest``; `nil` when there are none.
    package var missing: ClosedRange<Int64>?

    /// A position with these values.
    package init(
        site: String, node: String, epoch: String, isCurrent: Bool, prefix: Int64, highest: Int64,
        missing: ClosedRange<Int64>? = nil
    ) {
        self.site = site
        self.node = node
        self.epoch = epoch
        self.isCurrent = isCurrent
        self.prefix = prefix
        self.highest = highest
        self.missing = missing
    }
}

extension StreamPosition {
    /// The columns that this is read from.
    static let columns = "site, node, epoch, is_current, prefix, highest, missing_from, missing_to"

    /// Reads a row of ``columns``; `nil` when it has another shape.
    init?(_ row: [String?]) {
        guard row.count >= 8, let site = row[0], let node = row[1], let epoch = row[2],
            let prefix = row[4].flatMap({ Int64($0) }), let highest = row[5].flatMap({ Int64($0) })
        else { return nil }
        let hole = (row[6].flatMap { Int64($0) }, row[7].flatMap { Int64($0) })
        var missing: ClosedRange<Int64>?
        if let from = hole.0, let to = hole.1, from <= to { missing = from...to }
        self.init(
            site: site, node: node, epoch: epoch, isCurrent: row[3] == "t", prefix: prefix, highest: highest,
            missing: missing)
    }
}
