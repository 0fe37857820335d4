import CommandLineProgram
import Foundation
import History
import Records

/// How often a node is right, in words and as a table.
enum AccuracyText {
    /// What is said where nothing can be estimated.
    static let tooFew =
        "Too few answers: \(Accuracy.minimumAnswers) to questions that were drawn by chance are the least. "
        + "`spotter learn` asks."

    /// The figures in words; the first one is for an owner.
    static func sentences(_ row: Accuracy) -> [String] {
        guard let right = row.right else { return [] }
        let hundred = { (value: Double) in Int((100 * value).rounded()) }
        let of = { (share: Accuracy.Share) in
            "\(hundred(share.share)) of 100 (\(hundred(share.low)) to \(hundred(share.high)))"
        }
        return [
            "Right about \(hundred(right.share)) of 100 sets (\(hundred(right.low)) to \(hundred(right.high))).",
            row.falseSetsAnHour.map {
                "Sets that were none: \(number($0.value)) an hour with people in view "
                    + "(\(number($0.low)) to \(number($0.high)))."
            },
            row.countsWithinOne.map { "Counts within one: \(of($0))." },
            row.recall.map {
                "Of 100 seconds of exercise \(hundred($0.share)) lie in right sets "
                    + "(\(hundred($0.low)) to \(hundred($0.high)))."
            },
            "From \(right.answers.counted("answer")) about \(row.sets.counted("set")); 90 % intervals.",
        ].compactMap(\.self)
    }

    /// The lines of a table with a row for each group.
    static func table(_ rows: [Accuracy], by grouping: Accuracy.Grouping) -> [String] {
        var table = Table(
            [grouping.rawValue.uppercased(), "SETS", "HOURS", "RIGHT", "COUNTS", "FALSE/H", "FOUND"],
            rightAligned: [1, 2])
        for row in rows {
            table.add([
                row.group ?? "all", String(row.sets), number(row.hours), words(row.right), words(row.countsWithinOne),
                row.falseSetsAnHour.map { "\(number($0.value)) (\(number($0.low)) to \(number($0.high)))" } ?? "-",
                words(row.recall),
            ])
        }
        return table.lines
    }

    private static func words(_ share: Accuracy.Share?) -> String {
        guard let share else { return "-" }
        let percent = { (value: Double) in String(Int((100 * value).rounded())) }
        return "\(percent(share.share)) % (\(percent(share.low)) to \(percent(share.high)))"
    }

    private static func number(_ value: Double) -> String {
        value.formatted(.number.precision(.fractionLength(1)).grouping(.never).locale(Locale(identifier: "en")))
    }
}
