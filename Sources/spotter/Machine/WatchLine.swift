import Records

/// A node's message in words: who did what, and how often.
struct WatchLine {
    /// The levels of the topic behind `spotter/v1/SITE/NODE/`.
    private let levels: [String]
    private let payload: JSONValue

    /// - Parameter levels: the levels of the topic behind the version: site, node and the rest.
    init(levels: [String], _ payload: JSONValue) {
        self.levels = Array(levels.dropFirst(2))
        self.payload = payload
    }

    /// The words; `nil` for a message without a form of its own.
    var text: String? {
        switch levels.first {
        case "status": payload["state"]?.text.map { "the node is \($0)" }
        case "health": health
        case "rec": record
        case "cam" where levels.count > 2: camera(levels[2]).map { "\(levels[1]): \($0)" }
        default: nil
        }
    }

    private func camera(_ kind: String) -> String? {
        switch kind {
        case "state":
            guard let action = payload["action"]?.text else { return nil }
            return list([
                action.words + percent("confidence"), count("reps", "repetition", "repetitions"),
                count("people", "person", "people"),
            ])
        case "live":
            guard let action = payload["a"]?.text else { return nil }
            return "person \(payload["k"]?.plain ?? "-"): \(action.words)\(percent("c"))"
        case "event":
            guard let event = payload["event_type"]?.text else { return nil }
            let action = payload["action"]?.text ?? payload["top_action"]?.text
            return list([
                event.words, action?.words, count("reps", "repetition", "repetitions"), payload["text"]?.text,
                payload["reason"]?.text.map { "because of \($0.words)" },
            ])
        case "status":
            return payload["state"]?.text.map { state in list([state, payload["reason"]?.text?.words]) }
        default: return nil
        }
    }

    private var health: String? {
        guard let isGood = payload["ok"]?.bool else { return nil }
        guard !isGood, case .list(let problems)? = payload["problems"] else { return "all is well" }
        return "problems: "
            + problems.map { problem in
                (problem["code"]?.text?.words ?? "unknown") + (problem["camera"]?.text.map { " of \($0)" } ?? "")
            }.joined(separator: ", ")
    }

    private var record: String? {
        guard let type = payload["type"]?.text, let body = payload["body"] else { return nil }
        var actions: [String] = []
        if case .list(let all)? = body["actions"] {
            actions = all.compactMap { one in
                one["label"]?.text.map { "\($0.words) \(one["reps"]?.plain ?? "\(one["seconds"]?.plain ?? "0") s")" }
            }
        }
        let camera = body["camera"]?.text.map { " of \($0)" } ?? ""
        return list([
            "record \(payload["seq"]?.plain ?? "-"), \(type)\(camera)", actions.joined(separator: ", "),
            body["end_reason"]?.text.map { "ended: \($0.words)" },
        ])
    }

    private func percent(_ field: String) -> String {
        let share: Double? =
            switch payload[field] {
            case .number(let value): value
            case .integer(let value): Double(value)
            default: nil
            }
        return share.map { $0 > 0 ? " \(Int((100 * $0).rounded())) %" : "" } ?? ""
    }

    private func count(_ field: String, _ one: String, _ many: String) -> String? {
        payload[field]?.integer.map { $0 == 1 ? "1 \(one)" : "\($0) \(many)" }
    }

    private func list(_ parts: [String?]) -> String {
        parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension String {
    /// A label or a code as words: `jumping_jack` becomes `jumping jack`.
    fileprivate var words: String { replacing("_", with: " ") }
}
