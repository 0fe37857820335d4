import Foundation
import GRDB
import Records

/// How often the node is right, estimated from the answers to questions that were drawn by chance.
///
/// Chosen questions are left out: they are the hard ones. Answers such as `skipped`, `two_people` and `cut_off` tell nothing
/// about the node, and are left out as well. All intervals hold with 90 %; see ``WilsonInterval``.
public struct Accuracy: Sendable, Codable, Equatable {
    /// An estimated share.
    public struct Share: Sendable, Codable, Equatable {
        /// The estimate, 0…1.
        public let share: Double
        /// The ends of its interval, 0…1.
        public let low, high: Double
        /// The number of answers behind it.
        public let answers: Int

        fileprivate static let schema = Schema.object([
            ("share", .required(.share)), ("low", .required(.share)),
            ("high", .required(.share, "The interval at 90 %.")),
            ("answers", .required(.count)),
        ])
    }

    /// An estimated number in each hour.
    public struct Rate: Sendable, Codable, Equatable {
        /// The estimate.
        public let value: Double
        /// The ends of its interval.
        public let low, high: Double

        fileprivate static let schema = Schema.object([
            ("value", .required(.number(minimum: 0))), ("low", .required(.number(minimum: 0))),
            ("high", .required(.number(minimum: 0))),
        ])
    }

    /// What it is about: a label, a camera, or a month such as `2026-11`; `nil` for everything.
    public let group: String?
    /// Of the sets that were reported: how many are of the exercise that was shown.
    public let right: Share?
    /// Of those that are: how many have a count within one repetition of the answer.
    public let countsWithinOne: Share?
    /// Sets that were reported where nobody did any exercise, in each hour in which the cameras saw a person.
    public let falseSetsAnHour: Rate?
    /// Of the time in which people did exercises: how much lies in sets that are right. `nil` for a label.
    public let recall: Share?
    /// How many hours the cameras saw a person.
    public let hours: Double
    /// How many sets were reported.
    public let sets: Int

    enum CodingKeys: String, CodingKey {
        case group, right, recall, hours, sets
        case countsWithinOne = "counts_within_one"
        case falseSetsAnHour = "false_sets_an_hour"
    }

    /// Without another wish, the figures are of so many weeks, the present one included.
    public static let usualWeeks = 5

    /// The JSON of a row.
    package static let schema = Schema.object([
        ("group", .optional(.text(), "A label, a camera or a month; absent for everything.")),
        ("right", .optional(Share.schema, "Of the reported sets.")),
        ("counts_within_one", .optional(Share.schema, "Of the sets that are right.")),
        ("false_sets_an_hour", .optional(Rate.schema, "Sets that were none, while people are in view.")),
        ("recall", .optional(Share.schema, "Of the time in which people did exercises.")),
        ("hours", .required(.number(minimum: 0), "In which people were in view.")), ("sets", .required(.count)),
    ])

    /// The fewest answers for a share. With fewer, the interval is so wide that it tells nothing.
    public static let minimumAnswers = 5
}

extension Accuracy {
    /// How answers are grouped.
    public enum Grouping: String, Sendable, CaseIterable {
        /// Everything in one.
        case all
        /// By the label that was shown.
        case label
        /// By camera.
        case camera
        /// By the month of the week's Monday.
        case month
    }

    /// One answer to a question that was drawn by chance.
    struct Sampled {
        let kind: Question.Kind
        /// How many such sets or excerpts it stands for.
        let weight: Double
        let week, camera: String
        let shown: String?
        let reps: Int?
        let answer: Answer

        /// Whether it tells something about the node.
        var tells: Bool {
            switch answer {
            case .exercise, .none, .nobody: true
            case .twoPeople, .cutOff, .skipped: false
            }
        }
        var isRight: Bool { shown != nil && answer.word == shown }
        /// Whether the person did an exercise.
        var isExercise: Bool { if case .exercise = answer { true } else { false } }
    }

    init(_ group: String?, _ answers: [Sampled], _ pools: [QuestionPool], ofLabel: Bool) {
        let told = answers.filter(\.tells)
        let sets = told.filter { $0.kind == .set }, excerpts = told.filter { $0.kind == .excerpt }
        let seen = pools.filter { $0.kind == .set }.reduce(0) { $0 + $1.seen }
        let seconds = { (kind: Question.Kind) in pools.filter { $0.kind == kind }.reduce(0) { $0 + $1.seconds } }
        self.group = group
        hours = (seconds(.set) + seconds(.excerpt)) / 3600
        let own = ofLabel ? sets.filter { $0.shown == group } : sets
        // Of one label's sets nobody counts how many there were, so their number is estimated as well.
        let share = Self.weight(own) / max(Self.weight(sets), .leastNonzeroMagnitude)
        self.sets = ofLabel ? Int((Double(seen) * min(share, 1)).rounded()) : seen
        right = Share(own, where: \.isRight)
        countsWithinOne = Share(own.filter { $0.isRight && $0.reps != nil && $0.answer.reps != nil }) {
            abs(($0.reps ?? 0) - ($0.answer.reps ?? 0)) <= 1
        }
        let wrong = Share(own) { !$0.isExercise }
        let perHour = hours > 0 ? Double(self.sets) / hours : 0
        falseSetsAnHour = wrong.map { Rate(value: $0.share * perHour, low: $0.low * perHour, high: $0.high * perHour) }
        recall =
            ofLabel
            ? nil
            : Self.recall(
                right: right, missed: Share(excerpts, where: \.isExercise), found: seconds(.set),
                rest: seconds(.excerpt))
    }

    private static func weight(_ answers: [Sampled]) -> Double { answers.reduce(0) { $0 + $1.weight } }

    /// The share of exercise time in right sets. Its interval follows from those of both shares by the method of variance
    /// estimates recovery for a ratio (A. Donner, G. Zou, *Closed-form confidence intervals for functions of the normal mean
    /// and standard deviation*, 2012).
    ///
    /// - Parameters:
    ///   - right: the share of sets that are right.
    ///   - missed: the share of excerpts without a set that show an exercise.
    ///   - found: the length of all sets, seconds.
    ///   - rest: the length of all excerpts, seconds.
    static func recall(right: Share?, missed: Share?, found: Double, rest: Double) -> Share? {
        guard let right, let missed, right.share > 0, found > 0 else { return nil }
        let (p, q) = (right.share, missed.share)
        let product = p * q
        func root(_ first: Double, _ second: Double) -> Double {
            max(0, product * product - first * second * (2 * q - first) * (2 * p - second)).squareRoot()
        }
        let (low, high) = (
            (product - root(missed.low, right.high)) / (right.high * (2 * p - right.high)),
            (product + root(missed.high, right.low)) / (right.low * (2 * p - right.low))
        )
        let share = { (ratio: Double) in 1 / (1 + rest / found * max(ratio, 0)) }
        return Share(
            share: share(q / p), low: high.isFinite && high > 0 ? share(high) : 0,
            high: low.isFinite ? share(low) : 1, answers: right.answers + missed.answers)
    }
}

extension Accuracy.Share {
    /// The share of the answers for which something holds; `nil` with too few.
    init?(_ answers: [Accuracy.Sampled], where holds: (Accuracy.Sampled) -> Bool) {
        guard answers.count >= Accuracy.minimumAnswers else { return nil }
        let all = answers.reduce(0) { $0 + $1.weight }
        let share = answers.filter(holds).reduce(0) { $0 + $1.weight } / all
        let interval = WilsonInterval(share: share, of: WilsonInterval.effective(answers.map(\.weight)))
        self.init(share: share, low: interval.low, high: interval.high, answers: answers.count)
    }
}

/// What the figures follow from, as the history had it at one moment. Figures by label, camera and month agree with each other.
public struct AccuracySample: Sendable {
    private let answers: [Accuracy.Sampled]
    private let pools: [QuestionPool]
    private let timeZone: TimeZone
    private let now: Date

    fileprivate init(_ answers: [Accuracy.Sampled], _ pools: [QuestionPool], _ timeZone: TimeZone, at now: Date) {
        (self.answers, self.pools, self.timeZone, self.now) = (answers, pools, timeZone, now)
    }

    /// How often the node is right, in whole weeks.
    ///
    /// - Parameters:
    ///   - grouping: one row for each of these; a single row for ``Accuracy/Grouping/all``.
    ///   - weeks: the last so many, the present one included; `nil` for ``Accuracy/usualWeeks``, and for all by month.
    /// - Returns: the rows, in alphabetical order of their groups.
    public func rows(by grouping: Accuracy.Grouping = .all, weeks: Int? = nil) -> [Accuracy] {
        let span = weeks ?? (grouping == .month ? nil : Accuracy.usualWeeks)
        let since =
            span.map { Question.week(of: now.addingTimeInterval(-Double($0 - 1) * 7 * 86_400), in: timeZone) } ?? ""
        let (answers, pools) = (answers.filter { $0.week >= since }, pools.filter { $0.week >= since })
        func rows(_ groups: Set<String>, _ of: (Accuracy.Sampled) -> String?, _ pool: (QuestionPool) -> String?)
            -> [Accuracy]
        {
            groups.sorted().map { group in
                Accuracy(
                    group, answers.filter { of($0) == group }, pools.filter { pool($0) == group }, ofLabel: false)
            }
        }
        switch grouping {
        case .all: return [Accuracy(nil, answers, pools, ofLabel: false)]
        case .label:
            return Set(answers.filter { $0.kind == .set }.compactMap(\.shown)).sorted()
                .map { Accuracy($0, answers, pools, ofLabel: true) }
        case .camera: return rows(Set(pools.map(\.camera)), \.camera, \.camera)
        case .month:
            return rows(
                Set(pools.map { String($0.week.prefix(7)) }), { String($0.week.prefix(7)) },
                { String($0.week.prefix(7)) })
        }
    }
}

extension HistoryQuery {
    /// How often the node is right; see ``AccuracySample/rows(by:weeks:)``.
    ///
    /// - Throws: ``HistoryError``.
    public func accuracy(
        by grouping: Accuracy.Grouping = .all, weeks: Int? = nil, at now: Date = Date()
    ) throws -> [Accuracy] {
        try accuracySample(at: now).rows(by: grouping, weeks: weeks)
    }

    /// All answers to questions that were drawn by chance, and how much was seen.
    ///
    /// - Throws: ``HistoryError``.
    public func accuracySample(at now: Date = Date()) throws -> AccuracySample {
        let zone = try timeZone() ?? .current
        return try read { db in
            guard try db.tableExists("question") else { return AccuracySample([], [], zone, at: now) }
            func kind(_ row: Row) -> Question.Kind { Question.Kind(rawValue: row.text("kind")) ?? .excerpt }
            // The joints stay on the disk.
            let answers = try Row.fetchAll(
                db,
                sql: """
                    SELECT kind, weight, week, camera, shown, reps, answer, answer_reps FROM question
                    WHERE sample = 'random' AND answer IS NOT NULL
                    """
            ).map { row in
                Accuracy.Sampled(
                    kind: kind(row), weight: row.number("weight"), week: row.text("week"), camera: row.text("camera"),
                    shown: row.optionalText("shown"), reps: row.optionalInteger("reps"),
                    answer: Answer(word: row.text("answer"), reps: row.optionalInteger("answer_reps")))
            }
            let pools = try Row.fetchAll(db, sql: "SELECT * FROM question_pool").map { row in
                QuestionPool(
                    kind: kind(row), week: row.text("week"), camera: row.text("camera"), seen: row.integer("seen"),
                    seconds: row.number("seconds"))
            }
            return AccuracySample(answers, pools, zone, at: now)
        }
    }
}
