import Actions
import Poses
import Records

/// Whether a model that learned one's own clips is worth using, why not, and what to record next.
///
/// It is judged by held-out clips: a training like the model's own that has not seen them must recognise them. The
/// figures are counts, because a percentage of four clips says little.
public struct TrainingVerdict: Sendable, Codable, Equatable {
    /// Whether the model may be used.
    public let isReady: Bool
    /// Why it is not ready, each a sentence. Empty when it is.
    public let reasons: [String]
    /// What limits how far the figures can be trusted, each a sentence.
    public let warnings: [String]
    /// What to record next, each a sentence.
    public let next: [String]
    /// The labels of one's own clips, in alphabetical order.
    public let labels: [Label]
    /// What the model shows for motions that are none of the exercises; `nil` when that was not tried.
    public let falseReports: FalseReports?

    /// What a model shows for generated people who do something else.
    public struct FalseReports: Sendable, Codable, Equatable {
        /// The clips of something else.
        public let clips: Int
        /// How many of them are shown as one of one's own labels, by label.
        public let shownAs: [String: Int]

        enum CodingKeys: String, CodingKey {
            case clips
            case shownAs = "shown_as"
        }

        /// - Parameters:
        ///   - results: those of the clips.
        ///   - labels: one's own labels.
        public init(_ results: [ClipEvaluation.ClipResult], labels: Set<String>) {
            clips = results.count
            let exercises = labels.subtracting(ModelDescription.noExercise)
            shownAs = Dictionary(grouping: results.map(\.reported).filter(exercises.contains)) { $0 }.mapValues(\.count)
        }

        private var count: Int { shownAs.values.reduce(0, +) }

        /// The share of the clips, 0…1; 0 without clips.
        public var share: Double { Double(count) / Double(max(clips, 1)) }

        /// The label that is shown most; `nil` when none is.
        var worst: String? { shownAs.mostFrequentFirst.first?.label }

        var text: String {
            "\(count) of \(clips) generated clips of something else are shown as yours"
                + (shownAs.isEmpty ? "" : " (\(shownAs.countedNames))") + "."
        }
    }

    /// One label of one's own clips.
    public struct Label: Sendable, Codable, Equatable {
        /// The label.
        public let label: String
        /// The number of clips.
        public let clips: Int
        /// The number of people or recordings that show it.
        public let people: Int
        /// The clips that were held out.
        public let heldOut: Int
        /// The held-out clips that were recognised.
        public let right: Int
        /// For each label that was answered instead: how often.
        public let mistakenFor: [String: Int]

        enum CodingKeys: String, CodingKey {
            case label, clips, people, right
            case heldOut = "held_out"
            case mistakenFor = "mistaken_for"
        }
    }

    enum CodingKeys: String, CodingKey {
        case reasons, warnings, next, labels
        case isReady = "is_ready"
        case falseReports = "false_reports"
    }

    /// Fewer clips of a label than this are too few to learn and to judge it.
    static let minimumClips = 3
    /// This share of a label's held-out clips must be recognised.
    static let minimumRight = 0.75
    /// With fewer held-out clips of a label, a single one decides.
    static let fewHeldOut = 4
    /// A model that shows more than this share of something else as one's own labels is warned of …
    static let manyFalseReports = 0.03
    /// … and is not ready above this one.
    static let maximumFalseReports = 0.1

    /// - Parameters:
    ///   - own: one's own clips, those that were held out included.
    ///   - results: those of the held-out clips.
    ///   - hasOthers: whether the model also learned what is no exercise.
    ///   - falseReports: what it shows for something else.
    ///   - isTaught: whether the clips were filmed again from all sides, so that one is enough.
    public init(
        own: [LabelledClip], results: [ClipEvaluation.ClipResult], hasOthers: Bool, falseReports: FalseReports? = nil,
        isTaught: Bool = false
    ) {
        var reasons: [String] = [], warnings: [String] = [], next: [String] = []
        labels = Dictionary(grouping: own, by: \.label).sorted { $0.key < $1.key }.map { label, clips in
            Label(label, clips, results.filter { $0.label == label })
        }
        for label in labels {
            let isFew = label.clips < Self.minimumClips
            if let reason = label.reason(minimumClips: isTaught ? 1 : Self.minimumClips) { reasons.append(reason) }
            if isTaught, isFew, !ModelDescription.noExercise.contains(label.label) {
                warnings.append(
                    "It was learned from \(label.clips.counted("clip")), so nobody knows how it does on others.")
                next.append("Show \(label.label) by three people: then each is judged by what the others taught.")
            } else {
                if let warning = label.warning { warnings.append(warning) }
                if let advice = label.advice { next.append(advice) }
            }
        }
        if !hasOthers {
            reasons.append("No clip shows what is no exercise, so everything is taken for one.")
            next.append("Record standing, walking and other exercises as none/ and other/, or leave out --rehearsal 0.")
        }
        if let falseReports, let worst = falseReports.worst, falseReports.share > Self.manyFalseReports {
            if falseReports.share > Self.maximumFalseReports {
                reasons.append(falseReports.text)
            } else {
                warnings.append(falseReports.text)
            }
            next.append("Record as other/ what looks like \(worst) where the camera will be, but is not.")
        }
        if results.isEmpty, labels.contains(where: { $0.people > 1 }) {
            next.append("Leave out --validation none, so that the model can be judged.")
        }
        (self.reasons, self.warnings, self.next) = (reasons, warnings, next)
        self.falseReports = falseReports
        isReady = reasons.isEmpty
    }

    /// The verdict in words, for people.
    public var text: String {
        var lines = labels.map { $0.text }
        if let falseReports { lines.append(falseReports.text) }
        lines.append(isReady ? "READY: the model may be used." : "NOT READY:")
        lines += reasons.map { "  " + $0 }
        if !warnings.isEmpty { lines += ["How sure this is:"] + warnings.map { "  " + $0 } }
        if !next.isEmpty { lines += ["What to do next:"] + next.map { "  " + $0 } }
        return lines.joined(separator: "\n")
    }
}

extension TrainingVerdict.Label {
    init(_ label: String, _ own: [LabelledClip], _ results: [ClipEvaluation.ClipResult]) {
        self.label = label
        clips = own.count
        people = Set(own.map(\.group)).count
        heldOut = results.count
        right = results.count(where: \.isRight)
        mistakenFor = results.filter { !$0.isRight }.reduce(into: [:]) { $0[$1.answer, default: 0] += 1 }
    }

    private var isRecognised: Bool { Double(right) >= TrainingVerdict.minimumRight * Double(heldOut) }

    /// What is no exercise need not be recorded: the generator shows it.
    private var isExercise: Bool { !ModelDescription.noExercise.contains(label) }

    /// The wrong answers, the most frequent first.
    private var mistakes: [(label: String, count: Int)] { mistakenFor.mostFrequentFirst }

    /// The wrong answers in words; empty without one.
    var mistakenText: String { mistakenFor.countedNames }

    var text: String {
        let judged =
            heldOut == 0
            ? "none held out"
            : "\(right) of \(heldOut) held-out clips recognised"
                + (mistakes.isEmpty ? "" : " (else \(mistakenText))")
        return
            "\(label): \(Self.count(clips, "clip")) of \(Self.count(people, "person or recording", "people or recordings")); "
            + judged
    }

    /// Why a model is not ready because of this label; `nil` where it is.
    func reason(minimumClips: Int) -> String? {
        if isExercise, clips < minimumClips {
            return "\(label) has only \(Self.count(clips, "clip"))."
        }
        if isExercise, heldOut == 0, people == 1 {
            return "All clips of \(label) come from one recording, so none could be held out to judge it."
        }
        if isExercise, heldOut == 0 {
            return "No clip of \(label) was held out, so nobody knows whether it is recognised."
        }
        guard !isRecognised else { return nil }
        return "\(label) was recognised in only \(right) of \(heldOut) held-out clips"
            + (mistakes.first.map { "; \($0.count) looked like \($0.label)" } ?? "") + "."
    }

    var warning: String? {
        if people == 1, clips > 1, heldOut > 0 {
            return "All clips of \(label) show one person or come from one recording; others may not be recognised."
        }
        if heldOut > 0, heldOut < TrainingVerdict.fewHeldOut {
            return "Only \(Self.count(heldOut, "clip")) of \(label) could be held out."
        }
        return nil
    }

    var advice: String? {
        if isExercise, clips < TrainingVerdict.minimumClips {
            return "Record \(label) until there are 5 clips or more, of different people and from different sides."
        }
        if heldOut > 0, !isRecognised {
            let rival = mistakes.first { !ModelDescription.noExercise.contains($0.label) }
            return "Record more clips of \(label)"
                + (rival.map { ", and some of \($0.label) that you want told apart" } ?? "")
                + ", all from where the camera will be."
        }
        return people == 1 ? "Record \(label) in a video of its own by a second person." : nil
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }
}

extension [String: Int] {
    /// Labels and how often each was answered, the most frequent first.
    fileprivate var mostFrequentFirst: [(label: String, count: Int)] {
        sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// The same in words, such as `2 × lunge, 1 × none`.
    fileprivate var countedNames: String {
        mostFrequentFirst.map { "\($0.count) × \($0.label)" }.joined(separator: ", ")
    }
}
