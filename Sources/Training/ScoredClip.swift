import Foundation

/// What a classifier said about the windows of one clip.
struct ScoredClip {
    let name: String
    /// The label it came with, which the model need not have.
    let label: String
    var windows: [(probabilities: [Float], outcome: String)] = []

    /// The same under a temperature that is `ratio` times as high; the outcomes at the thresholds stay as they were.
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
