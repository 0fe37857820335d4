import Contract
import Foundation
import Records

/// One durable record as it came: the envelope, and its body. Everything is checked.
package struct IncomingRecord: Sendable, Equatable {
    /// What a record can be about.
    package enum Kind: String, Sendable, CaseIterable { case session, rollup, workout, absence, gap }

    /// The gym's id.
    package let site: String
    /// The node's id.
    package let node: String
    /// Which history of the node the position belongs to.
    package let epoch: String
    /// The position in that history, from 1.
    package let seq: Int64
    /// What kind of thing the record is about, as the topic and the table have it.
    package let type: Kind
    /// What the record is about; with ``node`` and the type it names the thing that revisions replace.
    package let id: String
    /// The revision, from 1.
    package let rev: Int64
    /// Whether no further revision is expected.
    package let isFinal: Bool
    /// When the node made it: RFC 3339, UTC.
    package let made: String
    /// Whether the node's clock was synchronised.
    package let isSynced: Bool
    /// Whether it is old or was asked for again.
    package let isHistory: Bool
    /// Whether it says that a session was deleted.
    package let isDeletion: Bool
    /// What it says: one line of JSON that fits the type's schema. It is empty for a deletion.
    package let body: String
    /// Whether this stands in for a record that is stored as rejected.
    package let isStandIn: Bool
}

extension IncomingRecord: Decodable {
    private enum Key: String, CodingKey {
        case v, node, site, epoch, seq, type, id, rev, final, ts, clock, hist, body
    }

    private enum DeletionKey: String, CodingKey { case deleted }

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
        guard let type = Kind(rawValue: try fields.word(.type)) else {
            throw fields.refusal(.type, "expects session, rollup, workout, absence or gap")
        }
        self.type = type
        let deletion = try Fields(fields.container.nestedContainer(keyedBy: DeletionKey.self, forKey: .body))
        isDeletion = try type == .session && deletion.optional(.deleted, deletion.flag) == true
        body = isDeletion ? "{}" : try Self.body(type, fields)
        isStandIn = false
        if type == .gap { try checkGap() }
    }

    /// A node declares positions before the record that says so.
    private func checkGap() throws {
        guard let gap = GapBody(json: body) else { return }
        guard gap.fromSeq <= gap.toSeq else {
            throw IncomingMessage.Mismatch(
                reason: "body.to_seq is \(gap.toSeq), expected at least from_seq, \(gap.fromSeq)")
        }
        guard gap.epoch ?? epoch != epoch || gap.toSeq < seq else {
            throw IncomingMessage.Mismatch(reason: "body.to_seq is \(gap.toSeq), expected less than seq, \(seq)")
        }
    }

    private static func body(_ type: Kind, _ fields: Fields<Key>) throws -> String {
        func json<Body: Codable>(_: Body.Type, _ schema: Schema) throws -> String {
            let body = try fields.container.decode(Body.self, forKey: .body)
            do { return String(decoding: try schema.json(of: body), as: UTF8.self) } catch let fault as SchemaFault {
                throw IncomingMessage.Mismatch(reason: fault.within("body").description)
            }
        }
        return switch type {
        case .session: try json(SessionBody.self, SessionBody.schema)
        case .rollup: try json(RollupBody.self, RollupBody.schema)
        case .workout: try json(WorkoutBody.self, WorkoutBody.schema)
        case .absence: try json(CameraAbsence.self, CameraAbsence.schema)
        case .gap: try json(GapBody.self, GapBody.schema)
        }
    }

    /// A gap in place of a record that is stored as rejected.
    ///
    /// - Returns: `nil` for a position that no record can have.
    init?(rejectedAt seq: Int64, of epoch: String, site: String, node: String) {
        let gap = GapBody(fromSeq: seq, toSeq: seq, reason: "rejected", records: 1)
        guard epoch.isUUID, (1...(Int64.max - 2)).contains(seq), let body = try? JSONText.encode(gap) else {
            return nil
        }
        // The same record may come again, so its stand-in always has the same id.
        let digest = SHA256.hex(of: Array("\(epoch)/\(seq)".utf8))
        let cuts = [0, 8, 12, 16, 20, 32]
        id = zip(cuts, cuts.dropFirst()).map { String(digest.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
        (self.site, self.node, self.epoch, self.seq, self.body) = (site, node, epoch, seq, body)
        (type, rev, isFinal, isSynced, isHistory, isDeletion) = (.gap, 1, true, true, true, false)
        (made, isStandIn) = (Timestamp.text(Date()), true)
    }
}
