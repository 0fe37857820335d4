import Actions
import Foundation
import Records

extension WorkoutPlan {
    /// What the numbers of a plan may be, in a file and from elsewhere.
    enum Limits {
        /// The most steps of all rounds together.
        static let steps = 100
        static let rounds = 1...20
        static let repetitions = 1...1000
        static let seconds = 1.0...3600
        static let rest = 0.0...3600
        static let challenge = 5.0...3600
        static let daysAWeek = 1...7
        static let pain = 0...10
        static let range = 0.0...360
        static let tempo = 0.1...60
        /// Degrees.
        static let lockOut = 0.0...90
        /// Percent.
        static let slower = 5.0...60
    }

    /// Whether the plan keeps the limits of a plan file. Ask this of every plan that comes from elsewhere, before its
    /// ``sequence`` is made: a billion rounds would never end.
    package var isPossible: Bool {
        Limits.rounds.contains(rounds) && !steps.isEmpty && steps.count <= Limits.steps / rounds
            && Self.fits(challengeSeconds, Limits.challenge)
            && TextLimit.word.fault(of: id) == nil && TextLimit.title.fault(of: name) == nil
            && (description.isEmpty || TextLimit.paragraph.fault(of: description) == nil)
            && prescription?.isPossible ?? true && steps.allSatisfy(\.isPossible)
    }

    fileprivate static func fits<Number>(_ number: Number?, _ range: ClosedRange<Number>) -> Bool {
        number.map(range.contains) ?? true
    }
}

extension WorkoutPlan.Prescription {
    fileprivate var isPossible: Bool {
        WorkoutPlan.Limits.daysAWeek.contains(daysAWeek) && WorkoutPlan.Limits.pain.contains(painLimit)
            && ends.map { Calendar.gregorian(in: .gmt).date(ofDay: $0) != nil } ?? true
    }
}

extension WorkoutPlan.Step {
    fileprivate var isPossible: Bool {
        typealias Limits = WorkoutPlan.Limits
        let ranges = [rangeLeast, rangeMost], tempos = [secondsLeast, secondsMost]
        return TextLimit.word.fault(of: action) == nil && WorkoutPlan.fits(repetitions, Limits.repetitions)
            && WorkoutPlan.fits(seconds, Limits.seconds) && Limits.rest.contains(restSeconds)
            && ranges.allSatisfy { WorkoutPlan.fits($0, Limits.range) }
            && tempos.allSatisfy { WorkoutPlan.fits($0, Limits.tempo) }
            && WorkoutPlan.fits(lockOut, Limits.lockOut) && WorkoutPlan.fits(stopAtSlower, Limits.slower)
            && (watch?.count ?? 0) <= FormMeasurement.allCases.count
    }
}
