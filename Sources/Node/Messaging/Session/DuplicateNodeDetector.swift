/// Detects from the node's own `status` topic whether another node uses this node's id.
///
/// A broken connection is no evidence, since brokers are restarted, too. A status that another run wrote after this run
/// began is evidence. A broker may restore the status of an earlier run of this node from its disk. Such a status has a
/// lower connection number than this run's first connection, or was seen before.
package struct DuplicateNodeDetector {
    /// The author of a status: a run of a node, and the number of its connection.
    package struct Author: Equatable, Sendable {
        /// The run's random id.
        package var run: String
        /// The number of the run's connection.
        package var sid: Int64

        /// The connection `sid` of the run `run`.
        package init(run: String, sid: Int64) {
            self.run = run
            self.sid = sid
        }
    }

    private static let maximumStrangers = 8

    private let own: String
    private var firstSid: Int64?
    /// The newest status of each other run.
    private var strangers: [Author] = []

    /// Detects authors other than this run.
    ///
    /// - Parameter run: this run's id.
    package init(run: String) { own = run }

    /// Records the number of a connection this run opens. Only the first counts.
    package mutating func connecting(sid: Int64) { firstSid = firstSid ?? sid }

    /// Records who wrote a status.
    ///
    /// - Returns: whether another node wrote it while this run was going on.
    package mutating func observe(_ author: Author) -> Bool {
        guard author.run != own, let firstSid else { return false }
        guard let place = strangers.firstIndex(where: { $0.run == author.run }) else {
            if strangers.count == Self.maximumStrangers { strangers.removeFirst() }
            strangers.append(author)
            return author.sid >= firstSid
        }
        let isNew = author.sid > strangers[place].sid
        strangers[place].sid = max(strangers[place].sid, author.sid)
        return isNew
    }
}
