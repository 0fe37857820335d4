import Foundation
import History
import Messaging
import Records

extension SimulatedNode {
    /// Backs the history up. The node goes on for so long, and is then restored.
    func backUp(restoreAfter wait: Duration) throws {
        let copy = store.path + ".backup"
        try store.query.backup(to: copy)
        backup = (copy, ContinuousClock.now + wait)
        say("backed_up", ["epoch": .text(store.identity.epoch), "path": .text(copy)])
    }

    /// Names a session that has ended and still exists, for an order to delete it.
    func pick() { say("picked", ["id": .text(finished.last ?? "")]) }

    /// Deletes a session for good, as the command `session_delete` does.
    func delete(_ session: String) throws {
        let outcome = try store.deleteSession(session, wall: Date(), clock: .synced)
        finished.removeAll { $0 == session }
        if outcome == .deleted { wrote(1) }
        say("deleted", ["id": .text(session), "outcome": .text(String(describing: outcome))])
    }

    /// Ends the node's work, as an operator stops it.
    func retire() throws {
        try finish()
        Publishers.stop([publisher])
        try store.close()
    }

    func say(_ what: String, _ facts: [String: JSONValue]) {
        var line = facts
        line["at"] = .text(what)
        line["number"] = .integer(Int64(number))
        line["node"] = .text(id)
        line["site"] = .text(site)
        Lines.put(.object(line))
    }
}
