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
        case "info": info
        case "health": health
        case "log": payload["message"]?.text.map { "\(payload["level"]?.text ?? "log"): \($0)" }
        case "rec": record
        case "cmd" where levels.count > 1: "\(levels[1].words) is asked for"
        case "res" where levels.count > 1: answer(to: levels[1])
        case "cam" where levels.count > 2: camera(levels[2]).map { "\(levels[1]): \($0)" }
        default: nil
        }
    }

    /// What a person does, for messages that say it with every window; `nil` for others.
    var doing: (person: String, action: String)? {
        guard levels.count > 2, levels[0] == "cam", levels[2] == "live", let action = payload["a"]?.text else {
            return nil
        }
        return ("\(levels[1]) \(payload["k"]?.plain ?? "-")", action)
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
        case "event": return event
        case "counts": return counts
        case "enabled": return payload.text.map { "switched \($0.lowercased())" }
        case "workouts":
            guard case .list(let all)? = payload["workouts"] else { return nil }
            return all.isEmpty ? "no workout" : all.map(workout).joined(separator: "; ")
        case "status":
            return payload["state"]?.text.map { state in list([state, payload["reason"]?.text?.words]) }
        default: return nil
        }
    }

    private var event: String? {
        guard let event = payload["event_type"]?.text else { return nil }
        let action = payload["action"]?.text ?? payload["top_action"]?.text
        return list([
            event.words, action?.words, count("reps", "repetition", "repetitions"), payload["text"]?.text,
            payload["reason"]?.text.map { "because of \($0.words)" },
        ])
    }

    /// The day's totals: how often each exercise, or how long where nothing is counted.
    private var counts: String? {
        guard let day = payload["day"]?.text else { return nil }
        let actions = (payload["seconds"]?.object ?? [:]).keys.sorted().map { label in
            let reps = payload["reps"]?[label]?.plain
            return "\(label.words) \(reps ?? duration(payload["seconds"]?[label]))"
        }
        return list([day, count("sessions", "session", "sessions"), actions.joined(separator: ", ")])
    }

    private func workout(_ one: JSONValue) -> String {
        let name = one["nickname"]?.text.map { " of \($0)" } ?? ""
        let left = one["reps_left"]?.plain.map { "\($0) left" } ?? one["left_s"].map { "\(duration($0)) left" }
        return list([
            (one["plan_name"]?.text ?? "workout") + name,
            "step \(one["step"]?.plain ?? "-") of \(one["steps"]?.plain ?? "-")", one["action"]?.text?.words,
            one["phase"]?.text?.words, left,
        ])
    }

    private var info: String? {
        guard case .list(let cameras)? = payload["cameras"] else { return nil }
        let exercises: Int? = if case .list(let all)? = payload["model"]?["exercises"] { all.count } else { nil }
        return list([
            (payload["name"]?.text).map { "named \($0)" }, payload["sw"]?.text.map { "version \($0)" },
            cameras.count.counted("camera"), exercises.map { $0.counted("exercise") },
        ])
    }

    private func answer(to command: String) -> String {
        let reason = payload["error"]?["message"]?.text
        return "\(command.words) is answered" + (reason.map { ": \($0)" } ?? "")
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
                one["label"]?.text.map { "\($0.words) \(one["reps"]?.plain ?? duration(one["seconds"]))" }
            }
        }
        let camera = body["camera"]?.text.map { " of \($0)" } ?? ""
        return list([
            "record \(payload["seq"]?.plain ?? "-"), \(type)\(camera)", actions.joined(separator: ", "),
            body["end_reason"]?.text.map { "ended: \($0.words)" },
        ])
    }

    private func percent(_ field: String) -> String {
        number(payload[field]).map { $0 > 0 ? " \(Int((100 * $0).rounded())) %" : "" } ?? ""
    }

    private func duration(_ value: JSONValue?) -> String { DurationText.of(number(value) ?? 0) }

    private func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    private func count(_ field: String, _ one: String, _ many: String) -> String? {
        payload[field]?.integer.map { $0.counted(one, many) }
    }

    private func list(_ parts: [String?]) -> String {
        parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension String {
    /// A label or a code as words: `jumping_jack` becomes `jumping jack`.
    fileprivate var words: String { replacing("_", with: " ") }
}
