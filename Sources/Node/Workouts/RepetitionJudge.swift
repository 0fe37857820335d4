import Actions
import Foundation

/// What the standard of its step says of a repetition.
public enum RepetitionRuling: Int, Sendable, Codable, CaseIterable {
    /// It meets the standard, or misses it by no more than the measurement may err.
    case counts = 0
    /// It misses the standard.
    case noRep
    /// It counts, because the standard cannot be judged from the camera's side.
    case unjudged
}

/// Judges the repetitions of a step by its standard.
package struct RepetitionJudge: Sendable {
    /// What is missing in a repetition that does not count.
    package struct Fault: Sendable, Equatable {
        let rule: FormRule
        let reading: RepetitionMeasures.Reading
        let limit: Double

        /// The measurement may err by so much. Nobody loses a repetition within it.
        var margin: Double { CueCoach.certainty * reading.uncertainty }

        /// The sentence: `No rep: knee bend 78°, needs 90 ± 10°.`
        package var text: String {
            let measure = rule.measure
            if measure == .workingSide {
                return reading.value < limit ? "No rep: that was the left side." : "No rep: that was the right side."
            }
            let needed = measure.text(limit, uncertainty: margin) + (rule.least == nil ? " or less" : "")
            return "No rep: \(measure.words) \(measure.text(reading.value)), needs \(needed)."
        }

        /// The same as a cue.
        ///
        /// - Parameter repetition: the repetition of the step, from 1, those that do not count among them.
        func cue(_ repetition: Int) -> Cue {
            let kept = reading.rounded(for: rule.measure)
            return Cue(
                kind: .noRep, measure: rule.measure, value: kept.value, uncertainty: kept.uncertainty, limit: limit,
                text: text, repetition: repetition)
        }
    }

    /// A ruling, with what is missing in a repetition that does not count.
    package typealias Verdict = (ruling: RepetitionRuling, fault: Fault?)

    private let rules: [FormRule]

    /// Whether a repetition may not count.
    package let isStrict: Bool

    /// A judge by these rules, all of which a repetition must meet; `nil` where each counts.
    package init(_ rules: [FormRule]?) { (self.rules, isStrict) = (rules ?? [], rules != nil) }

    /// Whether a repetition can be judged only when its motion is over.
    package var waitsForEnd: Bool { rules.contains { FormMeasurement.lockOuts.contains($0.measure) } }

    /// Judges a repetition of a set; `nil` while its end is not known.
    func verdict(_ repetition: WorkoutSet.Repetition, of set: WorkoutSet, at time: Date) -> Verdict? {
        waitsForEnd && !set.isOver(repetition, at: time) ? nil : verdict(repetition.measures)
    }

    /// Judges what was measured in a repetition.
    package func verdict(_ measures: RepetitionMeasures?) -> Verdict {
        for rule in rules {
            guard let reading = measures?[rule.measure], let limit = rule.least ?? rule.most else { continue }
            let fault = Fault(rule: rule, reading: reading, limit: limit)
            if rule.excess(reading.value) > fault.margin { return (.noRep, fault) }
        }
        let isJudged = !rules.isEmpty && rules.allSatisfy { measures?[$0.measure] != nil }
        return (isJudged || !isStrict ? .counts : .unjudged, nil)
    }
}
