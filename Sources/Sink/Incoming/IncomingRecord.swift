import Foundation
import Records

/// One durable record as it came: the envelope, and what its body says. Everything is checked.
package struct IncomingRecord: Sendable, Equatable {
    /// The gym's id.
    package let site: String
    /// The node's id.
    package let node: String
    /// Which history of the node the position belongs to.
    package let epoch: String
    /// The position in that history, from 1.
    package let seq: Int64
    /// What the record is about; with ``node`` and the type it names the thing that revisions replace.
    package let id: String
    /// The revision, from 1.
    package let rev: Int64
    /// Whether no further revision is expected.
    package let isFinal: Bool
    /// When the node made it.
    package let made: Moment
    /// Whether the node's clock was synchronised.
    package let isSynced: Bool
    /// Whether it is old or was asked for again.
    package let isHistory: Bool
    /// What it says.
    package let body: Body

    /// The body of a record.
    package enum Body: Sendable, Equatable {
        case session(SessionFields)
        /// A session that was deleted.
        case tombstone
        case rollup(RollupFields)
        case workout(WorkoutFields)
        /// A time in which a camera delivered no pictures.
        case absence(AbsenceFields)
        case gap(GapFields)
    }
}

extension IncomingRecord: Decodable {
    private enum Key: String, CodingKey {
        case v, node, site, epoch, seq, type, id, rev, final, ts, clock, hist, body
    }

    private enum TombstoneKey: String, CodingKey { case deleted }

    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder, by: Key.self)
        guard try fields.integer(.v, 0...1000) == 1 else { throw fields.refusal(.v, "expects 1") }
        site = try fields.id(.site)
        node = try fields.id(.node)
        epoch = try fields.uuid(.epoch)
        // Two numbers are kept free, because PostgreSQL's ranges end one after their last number.
        seq = try fields.integer(.seq, 1...(Int64.max - 2))
        id = try fields.uuid(.id)
        rev = try fields.integer(.rev, 1...Int64(Int32.max))
        isFinal = try fields.flag(.final)
        made = try fields.moment(.ts)
        isHistory = try fields.flag(.hist)
        let clock = try fields.word(.clock)
        guard ["synced", "unsynced"].contains(clock) else {
            throw fields.refusal(.clock, "expects synced or unsynced")
        }
        isSynced = clock == "synced"
        let type = try fields.word(.type)
        switch type {
        case "session":
            let tombstone = try Fields(fields.container.nestedContainer(keyedBy: TombstoneKey.self, forKey: .body))
            let isDeleted = try tombstone.optional(.deleted, tombstone.flag) ?? false
            body = isDeleted ? .tombstone : .session(try fields.container.decode(SessionFields.self, forKey: .body))
        case "rollup": body = .rollup(try fields.container.decode(RollupFields.self, forKey: .body))
        case "workout": body = .workout(try fields.container.decode(WorkoutFields.self, forKey: .body))
        case "absence": body = .absence(try fields.container.decode(AbsenceFields.self, forKey: .body))
        case "gap": body = .gap(try fields.container.decode(GapFields.self, forKey: .body))
        default: throw fields.refusal(.type, "expects session, rollup, workout, absence or gap")
        }
    }

    /// A gap in place of a record that is stored as rejected.
    ///
    /// - Returns: `nil` for a position that no record can have.
    init?(rejectedAt seq: Int64, of epoch: String, site: String, node: String) {
        guard epoch.isUUID, (1...(Int64.max - 2)).contains(seq), let now = Moment(Timestamp.text(Date())) else {
            return nil
        }
        // The same record may come again, so its stand-in always has the same id.
        let digest = SHA256.hex(of: Array("\(epoch)/\(seq)".utf8))
        let cuts = [0, 8, 12, 16, 20, 32]
        id = zip(cuts, cuts.dropFirst()).map { String(digest.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
        (self.site, self.node, self.epoch, self.seq) = (site, node, epoch, seq)
        (rev, isFinal, isSynced, isHistory, made) = (1, true, true, true, now)
        body = .gap(GapFields(epoch: nil, fromSeq: seq, toSeq: seq, reason: Self.rejectedReason, records: 1))
    }

    private static let rejectedReason = "rejected"

    /// Whether this stands in for a record that is stored as rejected.
    var isStandIn: Bool {
        if case .gap(let gap) = body { gap.reason == Self.rejectedReason } else { false }
    }

    /// The type as the topic and the table have it.
    package var type: String {
        switch body {
        case .session, .tombstone: "session"
        case .rollup: "rollup"
        case .workout: "workout"
        case .absence: "absence"
        case .gap: "gap"
        }
    }
}
