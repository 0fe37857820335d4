import Foundation

import Sink

/// Messages as nodes send them, with parts that a test changes.
enum Messages {
    static let epoch = "019aa0c4-6d2e-7c11-9f00-3f6a2c1d9e55"
    static let id = "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90"

    static let session = """
        {"camera":"rack1","start":"2026-11-21T18:11:40.200Z","end":"2026-11-21T18:19:12.000Z","end_reason":"idle",\
        "model":"gym14@9f2c41","fps":29.8,"zone":"mat","actions":[{"label":"squat","frames":1240,"seconds":41.6,\
        "reps":20,"conf_mean":0.91}],"sets":[{"number":1,"label":"squat","start":"2026-11-21T18:12:00.000Z",\
        "end":"2026-11-21T18:13:00.000Z","reps":20,"rest_s":12.5,"score":80,"zone":"mat",\
        "corrected":{"label":"lunge","reps":18}}],"excluded_frames":{"no_person":310,"low_confidence":44}}
        """
    static let rollup = """
        {"camera":"rack1","start":"2026-11-21T18:10:00.000Z","end":"2026-11-21T18:15:00.000Z","model":"m","fps":30,\
        "actions":[{"label":"squat","frames":12,"seconds":0.4}]}
        """
    static let absence = """
        {"camera":"rack1","start":"2026-11-21T18:11:40.200Z","end":"2026-11-21T18:19:12.000Z","reason":"unplugged"}
        """
    static let gap = #"{"from_seq":3,"to_seq":6,"reason":"retention","records":4}"#

    static func record(
        type: String = "session", seq: String = "7", rev: String = "1", body: String = session,
        changing: [(String, String)] = []
    ) -> String {
        let text = """
            {"v":1,"node":"sp-a","site":"berlin","epoch":"\(epoch)","seq":\(seq),"type":"\(type)","id":"\(id)",\
            "rev":\(rev),"final":true,"ts":"2026-11-21T18:19:12.000Z","clock":"synced","hist":false,"body":\(body)}
            """
        return changing.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    static func read(_ text: String, topic: String = "spotter/v1/berlin/sp-a/rec/session") -> IncomingMessage {
        IncomingMessage(topic: topic, payload: Array(text.utf8), prefix: "spotter", received: Date())
    }
}

extension IncomingMessage {
    var record: IncomingRecord? { if case .record(let record) = self { record } else { nil } }
    var reason: String? { if case .rejected(let message) = self { message.reason } else { nil } }
    var node: IncomingNode? { if case .node(let node) = self { node } else { nil } }
}
