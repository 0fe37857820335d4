import Records

/// Why there is no trained classifier. Every message ends with what to do next.
public enum TrainingError: Error, Equatable, Sendable {
    case unreadable(path: String, reason: String)
    /// An annotation file cannot be read.
    ///
    /// - Parameter column: the number of the column and its name, such as `3 (start_time)`.
    case annotations(file: String, line: Int?, column: String?, reason: String)
    case noClips(source: String, rejected: [RejectedClip] = [])
    /// The folder's folders are parts of a data set, and no labels.
    case parts(folder: String, names: [String])
    case badClips([RejectedClip])
    case tooFewLabels(found: [String], rejected: [RejectedClip] = [])
    /// Training and held-out clips share a group or a recording.
    case leak(kind: String, group: String, clips: [String])
    case tooFewClips(found: Int, needed: Int)
    /// All answers are of one day and camera, so that none can be held out.
    case oneGroup(answers: Int)
    /// None of the label's clips can be used.
    case labelLost(label: String, clips: [RejectedClip])
    /// The label is one of recognition's pseudo-labels.
    case labelReserved(label: String)
    case labelMalformed(label: String, suggestion: String)
    case unknownValidationLabel(label: String, known: [String])
    case parameter(name: String, expected: String, found: String)
    /// The model to continue from has other widths.
    case unsuitableStart(model: String, reason: String)
    /// A teacher has other labels than the clips, or reads other windows.
    case unsuitableTeacher(model: String, reason: String)
    /// The loss is no longer finite.
    case diverged(epoch: Int)
    case cancelled
}

/// A clip that cannot be used, and why.
public struct RejectedClip: Sendable, Equatable, Codable {
    /// Name of the clip.
    public let name: String
    /// Why it cannot be used.
    public let reason: String

    /// A rejected clip.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }
}

extension TrainingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "cannot read \(path): \(reason); check the path and its permissions"
        case .annotations(let file, let line, let column, let reason):
            "\(file)\(line.map { ", line \($0)" } ?? "")\(column.map { ", column \($0)" } ?? ""): \(reason); "
                + "expected the columns file_name, label, start_time and end_time, as CSV or JSON"
        case .noClips(let source, let rejected) where !rejected.isEmpty:
            "no usable clip in \(source): \(Self.list(rejected)); mend these, or record others"
        case .noClips(let source, _):
            "no usable clip in \(source); expected one folder per label with videos or pose streams (*.poses.jsonl) in it"
        case .parts(let folder, let names):
            "\(folder) holds \(names.joined(separator: ", ")), which are no labels but parts of a data set; "
                + "name one of them as the clips, and another with --validation or --test"
        case .badClips(let clips):
            "\(clips.count.counted("clip")) cannot be used: "
                + Self.list(clips) + "; remove them, or go on without --strict"
        case .tooFewLabels(let found, let rejected):
            "a classifier needs at least two labels with clips, found "
                + "\(found.isEmpty ? "none" : found.joined(separator: ", ")); "
                + "add a folder 'none' with people who do not exercise"
                + (rejected.isEmpty ? "" : " (not usable: \(Self.list(rejected)))")
        case .leak(let kind, let group, let clips):
            "training and \(kind) share \(group) (\(clips.prefix(3).joined(separator: ", "))"
                + "\(clips.count > 3 ? ", …" : "")): a model is always good on people it has seen, so the figures would "
                + "mean nothing; move all clips of a person or recording to one side"
        case .tooFewClips(let found, let needed):
            "there are \(found) usable clips, at least \(needed) are needed; record some more"
        case .oneGroup(let answers):
            "\(answers.counted("answer")), all of one day and camera, so that none can be held out to judge by; answer "
                + "questions of another day as well"
        case .labelLost(let label, let clips):
            "none of the clips of '\(label)' can be used ("
                + Self.list(clips) + "); record others, or remove the folder"
        case .labelReserved(let label):
            "the label '\(label)' is reserved for windows without an answer; take another one, such as 'none'"
        case .labelMalformed(let label, let suggestion):
            "the label '\(label)' must consist of lower-case letters, digits and underscores; "
                + "take '\(suggestion)' instead"
        case .unknownValidationLabel(let label, let known):
            "the validation clips have the label '\(label)', but training knows only \(known.joined(separator: ", ")); "
                + "use the same folders for both"
        case .parameter(let name, let expected, let found):
            "\(name) is \(found), expected \(expected); change it and train again"
        case .unsuitableStart(let model, let reason):
            "training cannot start from \(model): \(reason); train from the beginning instead"
        case .unsuitableTeacher(let model, let reason):
            "\(model) cannot teach this training: \(reason); train the teachers on the same labels and windows"
        case .diverged(let epoch):
            "the loss is no longer a number in pass \(epoch); train again with a lower learning rate"
        case .cancelled:
            "training was stopped before its first pass was complete, so there is no model; start it again"
        }
    }

    /// Every clip with its reason: each of them has to be mended.
    private static func list(_ clips: [RejectedClip]) -> String {
        clips.map { "\($0.name): \($0.reason)" }.joined(separator: "; ")
    }
}
