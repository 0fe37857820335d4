extension TrackingEvaluation {
    /// For the terminal: a line for each recording and one for all, then what the words mean.
    public var text: String {
        let limit = Int((settings.maximumDistance * 100).rounded())
        let outline = Int((settings.maximumOutlineDistance * 100).rounded())
        let share = Int((settings.minimumVisible * 100).rounded())
        var lines = [
            Self.cells("recording", ["person", "", "", "switches", "false", "found", "", "tracks"]),
            Self.cells("", ["minutes", "IDF1", "missed", "/10 min", "/min", "1 s", "2 s", "each"]),
        ]
        lines += clips.map { Self.line($0.name, $0.figures, minutes: $0.counts.personMinutes) }
        if clips.count > 1 {
            lines.append(Self.line("all", total, minutes: sum.personMinutes))
        }
        lines += [
            "",
            "A track is on a person when its joints are at most \(limit) % of a body away,",
            "on average; with labels by hand, when its middle is at most \(outline) % away.",
            "People count while \(share) % of them can be seen. Hidden for up to \(Int(settings.memorySeconds.rounded())) s they",
            "stay the same person.",
        ]
        return (lines + exerciseLines).joined(separator: "\n")
    }

    /// Of recordings whose exercises are known; nothing without any.
    private var exerciseLines: [String] {
        var rows = clips.map { ($0.name, $0.counts) }
        if clips.count > 1 { rows.append(("all", sum)) }
        let lines = rows.compactMap { name, counts in
            counts.minutesOfExercise.map { Self.line(name, $0, live: counts.liveMinutesOfExercise ?? $0) }
        }
        guard !lines.isEmpty else { return [] }
        return [
            "", Self.exerciseCells("", ["", "live", "", "sessions", "", "linked", "sessions"]),
            Self.exerciseCells("exercise", ["minutes", "right", "foreign", "each", "right", "foreign", "each"]),
        ] + lines + [
            "",
            "Right is exercise in a set of its own name, with its repetitions give or take",
            "one, in the session that holds most of this person. Foreign is what sessions",
            "hold of others. Live is as told when each set ended, linked is after the last",
            "revision. Exercise that cannot be seen does not count: \(Self.digits(hiddenMinutes, 1)) minutes here.",
        ]
    }

    private var hiddenMinutes: Double { (sum.minutesOfExercise?.hiddenSeconds ?? 0) / 60 }

    private static func line(_ name: String, _ linked: RightMinutes, live: RightMinutes) -> String {
        exerciseCells(
            short(name),
            [digits(linked.exerciseSeconds / 60, 1)]
                + [live, linked].flatMap {
                    [whole($0.right), whole($0.foreign), digits($0.sessionsPerPerson, 2)]
                })
    }

    private static func exerciseCells(_ name: String, _ values: [String]) -> String {
        name.padded(to: 18) + zip(values, [8, 8, 9, 9, 8, 9, 9]).map { $0.leading($1) }.joined()
    }

    /// A long name keeps its end, where clips differ.
    private static func short(_ name: String) -> String { name.count > 17 ? "…" + name.suffix(16) : name }

    private static func line(_ name: String, _ figures: TrackingFigures, minutes: Double) -> String {
        cells(
            short(name),
            [
                digits(minutes, 1), digits(figures.idf1, 3), whole(figures.missed),
                digits(figures.switchesPerTenPersonMinutes, 1), digits(figures.falsePeoplePerMinute, 1),
                whole(figures.foundInOneSecond), whole(figures.foundInTwoSeconds), digits(figures.tracksPerPerson, 2),
            ])
    }

    private static func cells(_ name: String, _ values: [String]) -> String {
        name.padded(to: 18) + zip(values, [7, 8, 8, 10, 7, 7, 7, 8]).map { $0.leading($1) }.joined()
    }

    private static func whole(_ share: Double?) -> String { share.map { "\(Int(($0 * 100).rounded())) %" } ?? "–" }

    private static func digits(_ value: Double?, _ count: Int) -> String {
        guard let value else { return "–" }
        let scale = (0..<count).reduce(1) { product, _ in product * 10 }
        let scaled = Int((value * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: count - fraction.count) + fraction
    }
}
