import Contract
import Foundation
import Records
import Sink
import Testing

@Suite struct IncomingMessageTests {
    @Test func `a session is read with its actions and sets`() throws {
        let record = try #require(Messages.read(Messages.record()).record)
        #expect(record.node == "sp-a" && record.site == "berlin" && record.seq == 7 && record.rev == 1)
        #expect(record.isFinal && record.isSynced && !record.isHistory && record.type == .session)
        #expect(record.made == "2026-11-21T18:19:12.000Z" && !record.isDeletion)
        // The body goes to the database as it came, in one order of keys and without the keys that are not known.
        let body = try JSONDecoder().decode(SessionBody.self, from: Data(record.body.utf8))
        #expect(body == (try JSONDecoder().decode(SessionBody.self, from: Data(Messages.session.utf8))))
        #expect(body.sets?.first?.corrected?.label == "lunge" && body.excludedFrames["no_person"] == 310)
    }

    @Test func `rollups, gaps and tombstones are read`() {
        let rollup = Messages.read(
            Messages.record(type: "rollup", body: Messages.rollup), topic: "spotter/v1/berlin/sp-a/rec/rollup")
        let gap = Messages.read(
            Messages.record(type: "gap", body: Messages.gap), topic: "spotter/v1/berlin/sp-a/rec/gap")
        let tombstone = Messages.read(Messages.record(body: #"{"deleted":true}"#))
        #expect(rollup.record?.type == .rollup && gap.record?.type == .gap)
        #expect(tombstone.record?.isDeletion == true && tombstone.record?.body == "{}")
    }

    @Test(arguments: [
        (#"{"from_seq":5,"to_seq":4,"reason":"retention","records":1}"#, "expected at least from_seq"),
        (#"{"from_seq":5,"to_seq":7,"reason":"retention","records":3}"#, "expected less than seq"),
        (#"{"from_seq":5,"to_seq":9000000000000000000,"reason":"corruption","records":3}"#, "expected less than seq"),
    ]) func `a gap that cannot be is rejected`(body: String, reason: String) {
        let read = Messages.read(
            Messages.record(type: "gap", body: body), topic: "spotter/v1/berlin/sp-a/rec/gap")
        #expect(read.reason?.contains(reason) == true, "\(read.reason ?? "accepted")")
    }

    @Test func `a gap of an earlier epoch may reach further`() {
        let body =
            #"{"from_seq":5,"to_seq":90,"reason":"corruption","records":9,"epoch":"019aa0c4-6d2e-7c11-9f00-3f6a2c1d9e56"}"#
        let read = Messages.read(
            Messages.record(type: "gap", body: body), topic: "spotter/v1/berlin/sp-a/rec/gap")
        #expect(read.record?.type == .gap, "\(read.reason ?? "")")
    }

    @Test func `of refused records those that are not stored stay missing`() {
        var batch = Batch()
        for seq in 1...30 {
            batch.add(Messages.read(Messages.record(seq: "\(seq)", changing: [(#""label":"squat""#, #""label":"""#)])))
        }
        #expect(batch.rejections == 30 && batch.rejected.count == 20)
        #expect(batch.records.map(\.seq) == Array(1...20) && batch.records.allSatisfy(\.isStandIn))
    }

    @Test func `an absence is read with or without its end`() throws {
        func body(_ text: String) -> String? {
            Messages.read(
                Messages.record(type: "absence", body: text), topic: "spotter/v1/berlin/sp-a/rec/absence"
            ).record?.body
        }
        let ended = try #require(body(Messages.absence))
        let lasting = try #require(body(Messages.absence.replacing(#""end":"2026-11-21T18:19:12.000Z","#, with: "")))
        #expect(ended.contains(#""end":"2026-11-21T18:19:12.000Z""#) && !lasting.contains("end"))
    }

    @Test(arguments: [
        ("rack1", "RACK 1", "body.camera expects"), ("unplugged", "", "body.reason expects"),
        ("unplugged", "un\\nplugged", "body.reason expects"), ("unplugged", "un\\u0000plugged", "body.reason expects"),
        ("unplugged", String(repeating: "x", count: 129), "body.reason expects"),
        ("2026-11-21T18:11:40.200Z", "2026-02-30T18:11:40.200Z", "body.start expects"),
        ("2026-11-21T18:19:12.000Z\"", "now\"", "body.end expects"),
        ("\"start\"", "\"begin\"", "body.start is missing"),
    ]) func `an absence that does not fit is rejected`(part: String, other: String, reason: String) {
        let text = Messages.record(type: "absence", body: Messages.absence.replacing(part, with: other))
        let read = Messages.read(text, topic: "spotter/v1/berlin/sp-a/rec/absence").reason
        #expect(read?.contains(reason) == true, "\(read ?? "accepted")")
    }

    @Test func `unknown keys are ignored, and 3.0 is a whole number`() {
        let text = Messages.record(seq: "7.0", changing: [(#""hist":false"#, #""hist":false,"new":{"a":[1]}"#)])
        #expect(Messages.read(text).record?.seq == 7)
        let frames = Messages.record(changing: [(#""frames":1240"#, #""frames":1240.0,"new":1"#)])
        #expect(Messages.read(frames).record?.body == Messages.read(Messages.record()).record?.body)
    }

    @Test(arguments: [
        ("squat", String(repeating: "x", count: TextLimit.word.bytes)),
        ("gym14@9f2c41", String(repeating: "m", count: TextLimit.model.bytes)),
        (#""end_reason":"idle""#, #""end_reason":"a reason of a newer node""#),
    ]) func `what a node stores fits the contract`(part: String, other: String) {
        let read = Messages.read(Messages.record(changing: [(part, other)]))
        #expect(read.record != nil, "\(read.reason ?? "")")
    }

    /// What is wrong, and a word that the reason must contain.
    static let hostile: [(String, String)] = [
        ("", "empty"), ("null", "JSON"), ("[]", "JSON"), ("{", "JSON"), ("\u{1}\u{2}", "JSON"), ("{}", "v is missing"),
        (Messages.record(changing: [(#""v":1"#, #""v":2"#)]), "v expects 1"),
        (Messages.record(changing: [("sp-a", "sp-b")]), "names berlin/sp-b"),
        (Messages.record(changing: [("berlin", "paris")]), "names paris/sp-a"),
        (Messages.record(changing: [("sp-a", "SP A")]), "node expects"),
        (Messages.record(seq: "0"), "seq expects"), (Messages.record(seq: "-5"), "seq expects"),
        (Messages.record(seq: "1e300"), "seq"), (Messages.record(seq: "9223372036854775807"), "seq expects"),
        (Messages.record(seq: #""7""#), "seq"), (Messages.record(seq: "1.5"), "seq expects"),
        (Messages.record(rev: "99999999999"), "rev expects"), (Messages.record(rev: "null"), "rev"),
        (Messages.record(type: "nonsense"), "type expects"),
        (Messages.record(type: "rollup"), "came on rec/session"),
        (Messages.record(body: "[]"), "body"), (Messages.record(body: #"{"deleted":false}"#), "camera is missing"),
        (
            Messages.record(changing: [("2026-11-21T18:19:12.000Z\",\"clock", "2026-02-30T18:19:12.000Z\",\"clock")]),
            "ts expects"
        ),
        (Messages.record(changing: [("2026-11-21T18:11:40.200Z", "9999-01-01T00:00:00.000Z")]), "start expects"),
        (Messages.record(changing: [("2026-11-21T18:11:40.200Z", "0000-00-00T00:00:00.000Z")]), "start expects"),
        (Messages.record(changing: [(#""frames":1240"#, #""frames":-1"#)]), "body.actions[0].frames expects"),
        (Messages.record(changing: [(#""frames":1240"#, #""frames":1e18"#)]), "body.actions[0].frames expects"),
        (Messages.record(changing: [(#""seconds":41.6"#, #""seconds":1e308"#)]), "body.actions[0].seconds expects"),
        (Messages.record(changing: [(#""conf_mean":0.91"#, #""conf_mean":2"#)]), "conf_mean expects"),
        (Messages.record(changing: [(#""label":"squat""#, #""label":"""#)]), "label expects"),
        (Messages.record(changing: [(#""label":"squat""#, #""label":"a\u0000b""#)]), "label expects"),
        (Messages.record(changing: [(#""reps":20,"rest"#, #""reps":3000000000,"rest"#)]), "reps expects"),
        (Messages.record(changing: [(#""no_person":310"#, #""no_person":-1"#)]), "excluded_frames.no_person expects"),
        (Messages.record(changing: [(#""id":"019aa0d1"#, #""id":"019AA0D1"#)]), "id expects a UUID"),
        (Messages.record(changing: [(#""clock":"synced""#, #""clock":"perhaps""#)]), "clock expects"),
        (String(repeating: "x", count: 1_000_000), "1000000 bytes"),
        (String(repeating: "[", count: 60_000), "JSON"),
    ]

    @Test(arguments: hostile) func `a message that does not fit is rejected with its reason`(
        text: String, reason: String
    ) {
        let read = Messages.read(text).reason
        #expect(read?.contains(reason) == true, "\(read ?? "accepted"): \(text.prefix(120))")
    }

    @Test func `a gap stands in for a record that does not fit, if its position can be read`() throws {
        func standIn(_ text: String) -> IncomingRecord? {
            if case .rejected(let message) = Messages.read(text) { message.standIn } else { nil }
        }
        let label = [(#""label":"squat""#, #""label":"""#)]
        let first = try #require(standIn(Messages.record(changing: label)))
        #expect(
            first.seq == 7 && first.epoch == Messages.epoch && first.type == .gap && first.isStandIn
                && first.node == "sp-a")
        #expect(standIn(Messages.record(changing: label))?.id == first.id, "the same record may come twice")
        #expect(standIn(Messages.record(seq: "8", changing: label))?.id != first.id)
        #expect(standIn(Messages.record(changing: label + [("sp-a", "sp-b")])) == nil, "another node's position")
        #expect(standIn(Messages.record(seq: "0")) == nil)
        #expect(standIn(Messages.record(seq: "1e300")) == nil)
        #expect(standIn("nonsense") == nil)
    }

    @Test(arguments: [
        "spotter/v1/berlin/sp-a/rec/other", "spotter/v1/berlin/rec/session", "other/v1/berlin/sp-a/rec/session",
        "spotter/v1/BERLIN/sp-a/rec/session", "spotter/v1/berlin/sp-a/rec/session/x", "spotter/v1//sp-a/rec/session",
    ]) func `a topic outside the contract is rejected`(topic: String) {
        #expect(Messages.read(Messages.record(), topic: topic).reason?.contains("topic") == true)
    }

    @Test func `a rejected message holds no character that PostgreSQL refuses`() {
        let message = IncomingMessage(
            topic: "spotter/v1/berlin/sp-a/rec/session", payload: [0, 255, 65], prefix: "spotter", received: Date())
        guard case .rejected(let rejected) = message else { return #expect(Bool(false)) }
        #expect(rejected.payload.hasSuffix("A") && !rejected.payload.utf8.contains(0))
    }

    @Test func `status, info and health are read`() throws {
        let topic = { (leaf: String) in "spotter/v1/berlin/sp-a/\(leaf)" }
        let status = Messages.read(#"{"v":1,"state":"online","sid":4}"#, topic: topic("status")).node
        let info = Messages.read(#"{"v":1,"epoch":"\#(Messages.epoch)"}"#, topic: topic("info")).node
        let health = Messages.read(
            #"{"v":1,"outbox":{"pending":3,"oldest_s":1,"acked":{"hq":41}}}"#, topic: topic("health")
        ).node
        #expect(status?.content.state == "online" && info?.content.epoch == Messages.epoch)
        #expect(health?.content.pending == 3 && health?.content.acked == ["hq": 41])
    }

    @Test(arguments: [
        ("status", #"{"v":1,"state":"asleep"}"#), ("info", #"{"v":1,"epoch":"x"}"#), ("info", "{}"),
        ("health", #"{"v":1,"outbox":{"pending":-1,"acked":{}}}"#), ("health", #"{"v":1,"note":"\u0000"}"#),
        ("health", "nonsense"),
    ]) func `a node's message that does not fit is rejected`(leaf: String, text: String) {
        #expect(Messages.read(text, topic: "spotter/v1/berlin/sp-a/\(leaf)").reason != nil)
    }

    @Test func `a removed retained message is nothing`() {
        #expect(Messages.read("", topic: "spotter/v1/berlin/sp-a/status") == .nothing)
    }
}
