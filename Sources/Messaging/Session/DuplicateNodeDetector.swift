/// Tells from the node's own `status` topic whether another node uses this node's id.
///
/// A broken connection is no evidence, since brokers are restarted, too. A status that another run wrote after this run
/// began is. A broker may restore the status of an earlier run of this node from its disk; such a status has a lower
/// connection number than this run's first, or was seen before.
package struct DuplicateNodeDetector {
    /// Who wrote a status: a run of a node and its connection's number.
    package struct Author: Equatable, Sendable {
        package var run: String
        package var sid: Int64

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

    /// - Parameter run: this run of the node.
    package init(run: String) { own = run }

    /// This run opens a connection of this number.
    package mutating func connecting(sid: Int64) { firstSid = firstSid ?? sid }

    /// Takes note of a status.
    ///
    /// - Returns: whether another node wrote it while this run has been going on.
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
