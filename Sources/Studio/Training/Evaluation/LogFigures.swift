import Actions
import Records

/// What a node would have logged for clips with known labels: the label of every second, and sets.
public struct LogFigures: Sendable, Codable, Equatable {
    /// Seconds with an exercise.
    public var exerciseSeconds = 0
    /// Share of those seconds that were reported with the correct label: the mean over the exercises, 0…1.
    public var rightSeconds = 0.0
    /// Seconds without an exercise.
    public var idleSeconds = 0
    /// Share of those seconds that were reported as an exercise, 0…1.
    public var falseSeconds = 0.0
    /// Clips of an exercise that are long enough for a set.
    public var exerciseClips = 0
    /// How many of those clips have a set of their exercise.
    public var clipsWithSet = 0
    /// Sets of another exercise in clips of an exercise.
    public var wrongSets = 0
    /// Sets of any exercise in clips without one.
    public var falseSets = 0
    /// False sets per hour; `nil` if all clips have an exercise.
    public var falseSetsPerHour: Double?

    /// The log of one clip.
    struct Clip {
        let label: String
        let seconds: Double
        /// The most frequent label of the windows in each second. A window belongs to the second of its middle.
        let secondLabels: [String]
        let setLabels: [String]
    }

    /// Shortest clip with a set: two repetitions, plus a window until they are recognised.
    static let minimumSeconds = 5.0

    init(_ clips: [Clip], exercises: [String]) {
        let own = clips.filter { exercises.contains($0.label) }
        let idle = clips.filter { !exercises.contains($0.label) }
        exerciseSeconds = own.reduce(0) { $0 + $1.secondLabels.count }
        let shares = Dictionary(grouping: own, by: \.label).sorted { $0.key < $1.key }.compactMap { label, clips in
            Self.share(of: clips) { $0 == label }
        }
        rightSeconds = shares.reduce(0, +) / Double(max(shares.count, 1))
        idleSeconds = idle.reduce(0) { $0 + $1.secondLabels.count }
        falseSeconds = Self.share(of: idle, where: exercises.contains) ?? 0
        let long = own.filter { $0.seconds >= Self.minimumSeconds }
        exerciseClips = long.count
        clipsWithSet = long.count { $0.setLabels.contains($0.label) }
        wrongSets = own.reduce(0) { sum, clip in sum + clip.setLabels.count { $0 != clip.label } }
        falseSets = idle.reduce(0) { $0 + $1.setLabels.count }
        let hours = idle.reduce(0) { $0 + $1.seconds } / 3600
        falseSetsPerHour = hours > 0 ? Double(falseSets) / hours : nil
    }

    private static func share(of clips: [Clip], where holds: (String) -> Bool) -> Double? {
        let labels = clips.flatMap(\.secondLabels)
        return labels.isEmpty ? nil : Double(labels.count(where: holds)) / Double(labels.count)
    }
}

extension LogFigures {
    enum CodingKeys: String, CodingKey {
        case exerciseSeconds = "exercise_seconds"
        case rightSeconds = "right_seconds"
        case idleSeconds = "idle_seconds"
        case falseSeconds = "false_seconds"
        case exerciseClips = "exercise_clips"
        case clipsWithSet = "clips_with_set"
        case wrongSets = "wrong_sets"
        case falseSets = "false_sets"
        case falseSetsPerHour = "false_sets_per_hour"
    }

    /// The figures in sentences, for the report and the terminal.
    var sentences: [String] {
        var lines: [String] = []
        if exerciseSeconds > 0 {
            lines.append(
                "\(exerciseSeconds) seconds of exercise: \(percent(rightSeconds)) reported with the correct label")
        }
        if idleSeconds > 0 {
            lines.append("\(idleSeconds) seconds of no exercise: \(percent(falseSeconds)) reported as one")
        }
        if exerciseClips > 0 {
            lines.append(
                "\(clipsWithSet) of \(exerciseClips.counted("clip")) of \(Int(Self.minimumSeconds)) seconds or more have a set of "
                    + "their exercise; \(wrongSets.counted("set")) of another one in them")
        }
        if let falseSetsPerHour {
            let rate = (falseSetsPerHour * 10).rounded() / 10
            lines.append("\(falseSets.counted("set")) where there is no exercise, \(rate) per hour")
        }
        return lines
    }
}

extension ScoredClip {
    /// What a node would have logged for the clip.
    var logged: LogFigures.Clip {
        let perSecond = Dictionary(grouping: windows) { Int($0.middle) }
        let labels = perSecond.sorted { $0.key < $1.key }.compactMap { Self.maximumShown(of: $1) }
        return LogFigures.Clip(label: label, seconds: seconds, secondLabels: labels, setLabels: sets.map(\.label))
    }
}
