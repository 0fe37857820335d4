import Records

/// Why a question cannot be answered.
public enum AnswerError: Error, Equatable, CustomStringConvertible {
    /// There is no such question.
    case unknownQuestion(Int)
    /// The label is none that the node knows.
    case unknownLabel(String, nearest: String?)
    /// The number of repetitions is not possible.
    case invalidReps(Int)
    /// What this word stands for has no repetitions.
    case noReps(String)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .unknownQuestion(let id):
            "there is no question \(id): 'spotter learn list' shows those that there are"
        case .unknownLabel(let label, let nearest):
            "'\(label)' is no label of this node\(nearest.map { ": did you mean '\($0)'?" } ?? "; 'none' stands for all else")"
        case .invalidReps(let reps): "\(reps.counted("repetition")) cannot be: give 0 to \(SetCorrection.maximumReps)"
        case .noReps(let word): "'\(word)' has no repetitions: give 0, or leave them away"
        }
    }
}
