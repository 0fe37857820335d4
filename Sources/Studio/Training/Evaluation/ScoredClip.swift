import Actions
import Foundation

/// The classifier's output for one clip, and the sets that a node would have found in it.
struct ScoredClip {
    typealias Window = (probabilities: [Float], shown: String, middle: Double)

    let name: String
    /// The true label. The model need not have it.
    let label: String
    let seconds: Double
    var windows: [Window] = []
    var sets: [ExerciseSet] = []

    /// The label that most windows show; `nil` without windows.
    static func maximumShown(of windows: [Window]) -> String? {
        let counts = windows.reduce(into: [:]) { $0[$1.shown, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// The probabilities at a temperature that is `ratio` times as high. What is shown does not change.
    func tempered(by ratio: Float) -> ScoredClip {
        var tempered = self
        for index in windows.indices {
            let powers = windows[index].probabilities.map { pow($0, 1 / ratio) }
            let sum = powers.reduce(0, +)
            tempered.windows[index].probabilities = powers.map { $0 / sum }
        }
        return tempered
    }
}
