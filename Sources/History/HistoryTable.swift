/// Lays answers out for people: columns of plain text, numbers to the right, cut to nothing.
public enum HistoryTable {
    /// `START  CAMERA  PERSON  LENGTH  END  ACTIONS`.
    public static func sessions(_ rows: [SessionRow]) -> String {
        let header = [
            Column("start"), Column("camera"), Column("person", .right), Column("seconds", .right), Column("end"),
            Column("actions"),
        ]
        let lines = rows.map { row in
            [
                row.start, row.camera, String(row.track), number(row.seconds), row.endReason ?? "open",
                row.actions.map(words).joined(separator: ", "),
            ]
        }
        return layout(header, lines)
    }

    public static func actions(_ rows: [ActionRow]) -> String {
        let header = [
            Column("action"), Column("frames", .right), Column("seconds", .right), Column("reps", .right),
            Column("days", .right),
        ]
        let lines = rows.map { row in
            [row.label, String(row.frames), number(row.seconds), row.reps.map(String.init) ?? "-", String(row.days)]
        }
        return layout(header, lines)
    }

    /// One line per action; a day without any has one line of dashes.
    public static func days(_ rows: [DayRow]) -> String {
        let header = [
            Column("day"), Column("camera"), Column("sessions", .right), Column("action"), Column("frames", .right),
            Column("seconds", .right), Column("reps", .right),
        ]
        let lines = rows.flatMap { row -> [[String]] in
            let head = [row.day, row.camera, String(row.sessions)]
            guard !row.frames.isEmpty else { return [head + ["-", "-", "-", "-"]] }
            return row.frames.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { label, frames in
                head + [
                    label, String(frames), number(row.seconds[label] ?? 0), row.reps[label].map(String.init) ?? "-",
                ]
            }
        }
        return layout(header, lines)
    }

    private static func words(_ action: SessionBody.Action) -> String {
        let reps = action.reps.map { ", \($0) reps" } ?? ""
        return "\(action.label) \(number(action.seconds)) s\(reps)"
    }

    /// One decimal.
    private static func number(_ value: Double) -> String { String(value.rounded(decimals: 1)) }

    private struct Column {
        enum Side { case left, right }

        let title: String
        let side: Side

        init(_ title: String, _ side: Side = .left) {
            self.title = title.uppercased()
            self.side = side
        }
    }

    private static func layout(_ columns: [Column], _ lines: [[String]]) -> String {
        let widths = columns.indices.map { place in
            lines.reduce(columns[place].title.count) { max($0, $1[place].count) }
        }
        let all = [columns.map(\.title)] + lines
        return all.map { line in
            let cells = line.indices.map { place in
                let gap = String(repeating: " ", count: widths[place] - line[place].count)
                return columns[place].side == .right ? gap + line[place] : line[place] + gap
            }
            var text = cells.joined(separator: "  ")
            while text.last == " " { text.removeLast() }
            return text
        }.joined(separator: "\n")
    }
}
