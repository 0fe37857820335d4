import Configuration
import Foundation
import History
import Records
import Synchronization

/// Decides which sets and excerpts of a node are asked about. One for all cameras.
///
/// Each set has the same chance of being drawn, so that the answers tell how often the node errs. The chance follows from
/// how many sets the week before had; a question knows how many sets it stands for. Apart from these, those are chosen
/// whose answers teach most.
package final class QuestionDraw: Sendable {
    /// How many questions of each kind are asked in a week.
    package struct Quota: Sendable, Equatable {
        /// Those drawn by chance.
        package let random: [Question.Kind: Int]
        /// Those chosen because they teach much.
        package let chosen: [Question.Kind: Int]

        /// Shares out the questions of a week.
        package init(questionsAWeek count: Int) {
            random = [.set: max(1, count * 4 / 10), .excerpt: count * 2 / 10]
            let rest = count - random.values.reduce(0, +)
            chosen = [.set: rest * 3 / 4, .excerpt: rest - rest * 3 / 4]
        }
    }

    /// What is expected of the first week, of which nothing is known.
    private static let firstWeek: [Question.Kind: Int] = [.set: 40, .excerpt: 1000]
    /// Below this an answer would teach too little, 0…1.
    private static let minimumWorth = 0.3

    private struct State {
        /// The Monday of the week.
        var week: String
        /// How many are expected in this week.
        var expected: [Question.Kind: Int]
        var seen: [Question.Kind: Int]
        var drawn: [Question.Kind: Int]
        /// The worths of the chosen questions.
        var chosen: [Question.Kind: [Double]]
    }

    /// How many are asked.
    package let quota: Quota
    private let timeZone: TimeZone
    private let chance: @Sendable () -> Double
    private let state: Mutex<State>

    /// Goes on with what the history holds of the week. Later weeks need no disk.
    ///
    /// - Parameter chance: a random number of 0…1.
    /// - Throws: `HistoryError`.
    package init(
        questionsAWeek: Int, query: HistoryQuery, timeZone: TimeZone, at now: Date = Date(),
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws {
        quota = Quota(questionsAWeek: questionsAWeek)
        self.timeZone = timeZone
        self.chance = chance
        let week = Question.week(of: now, in: timeZone)
        let known = try query.questionWeek(week)
        let last = try query.questionWeek(Question.week(of: now - 7 * 86_400, in: timeZone)).seen
        state = Mutex(
            State(
                week: week, expected: Self.firstWeek.merging(last) { $1 }, seen: known.seen, drawn: known.drawn,
                chosen: known.chosen))
    }

    /// The week of a moment.
    package func week(of date: Date) -> String { Question.week(of: date, in: timeZone) }

    /// Counts a set or an excerpt, and draws it, or not.
    ///
    /// - Parameter worth: how much an answer teaches, 0…1; `nil` for one about which nobody may be asked.
    /// - Returns: why it is asked about, and the weight of the question; `nil` where it is not asked about.
    package func draw(
        _ kind: Question.Kind, at date: Date, worth: (reason: Question.Reason, value: Double)?
    ) -> (reason: Question.Reason, weight: Double)? {
        let week = week(of: date)
        return state.withLock { state -> (reason: Question.Reason, weight: Double)? in
            // What belongs to the week before and comes late counts for the present one.
            if week > state.week {
                state = State(
                    week: week, expected: state.expected.merging(state.seen) { $1 }, seen: [:], drawn: [:], chosen: [:])
            }
            state.seen[kind, default: 0] += 1
            guard let worth else { return nil }
            let (random, chosen) = (quota.random[kind] ?? 0, quota.chosen[kind] ?? 0)
            // Twice the quota is never exceeded, also in a week that is unlike the one before.
            if state.drawn[kind] ?? 0 < 2 * random {
                let probability = min(1, Double(random) / Double(max(state.expected[kind] ?? 1, 1)))
                if chance() < probability {
                    state.drawn[kind, default: 0] += 1
                    return (.random, 1 / probability)
                }
            }
            guard worth.value >= Self.minimumWorth, chosen > 0 else { return nil }
            let worths = state.chosen[kind] ?? []
            if worths.count >= chosen, worth.value <= worths.min() ?? 0 { return nil }
            state.chosen[kind] = Array((worths + [worth.value]).sorted(by: >).prefix(chosen))
            return (worth.reason, worth.value)
        }
    }
}
