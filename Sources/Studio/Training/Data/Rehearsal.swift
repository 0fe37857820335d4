import Actions
import NeuralNet
import Poses
import SyntheticMotion

/// Synthetic clips that are learned beside one's own, so that a model keeps what it knew, and learns what its new labels
/// are not.
public struct Rehearsal: Sendable {
    /// The clips.
    public let clips: [LabelledClip]
    /// The generator's motions that show a new label themselves, by label. They are left out.
    public let shown: [String: [String]]

    /// Clips of each motion, to compare it with a label.
    private static let clipsOfMotion = 12
    /// A motion is left out when it is among the nearest for this share of a label's clips.
    private static let nearestShare = 0.5
    private static let nearestCount = 3

    /// Makes about `count` clips of the generator's labels that `labels` contains.
    ///
    /// - Parameters:
    ///   - own: the clips that will be learned beside them.
    ///   - start: the model that training continues from; `nil` without one.
    ///   - capture: recorded motion to film, too.
    /// - Throws: `ModelFileError` when the model does not fit its weights.
    public init(
        count: Int, of labels: Set<String>, beside own: [LabelledClip], from start: ActionClassifier?, seed: UInt64,
        capture: MotionCapture? = nil
    ) throws(ModelFileError) {
        let new = own.filter { !MotionKind.labels.contains($0.label) }
        shown =
            try start.map { classifier throws(ModelFileError) in
                try Self.motions(shownBy: new, classifier, seed: seed)
            } ?? [:]
        let wanted = SyntheticDataset.balanced(total: count).filter { labels.contains($0.key) }
        let excluded = Set(shown.values.joined())
        var filmed: [LabelledClip] = []
        var rest = wanted
        if let capture {
            for (label, count) in wanted.sorted(by: { $0.key < $1.key }) {
                let share = capture.count(of: label, among: count)
                filmed += capture.clips(of: label, count: share, seed: seed)
                rest[label] = count - share
            }
        }
        let made = SyntheticDataset.clips(perLabel: rest, seed: seed, excluding: excluded).map(\.clip) + filmed
        clips = Self.dressed(made, like: own, seed: seed).filter { $0.posedShare > 0.1 }
    }

    /// What is left out and why, a sentence or two for each new label.
    ///
    /// - Parameter known: the exercises of the model that training continues from.
    public func notes(known: [String]) -> [String] {
        shown.sorted { $0.key < $1.key }.map { label, motions in
            let note = "\(label) looks like \(motions.joined(separator: ", ")), so that is not rehearsed."
            let replaced = SyntheticMotion.catalogue.first { motions.contains($0.name) && known.contains($0.label) }?
                .label
            guard let replaced else { return note }
            return note
                + " It takes the place of \(replaced), which the model knows: name your folder \(replaced) to teach it "
                + "your gym's."
        }
    }

    /// Gives half of the clips the confidences of one of one's own. Otherwise the network would tell the new labels by
    /// their detector: which joints it leaves out, and how sure it is.
    private static func dressed(_ clips: [LabelledClip], like own: [LabelledClip], seed: UInt64) -> [LabelledClip] {
        let looks = own.map(look)
        guard !looks.isEmpty else { return clips }
        return clips.enumerated().map { index, clip in
            var random = RandomSource(seed: seed, path: 8, UInt64(index))
            guard random.chance(0.5) else { return clip }
            let look = looks[random.index(below: looks.count)]
            var clip = clip
            for frame in 0..<clip.frames {
                for joint in 0..<KeypointFrame.joints {
                    let place = frame * KeypointFrame.count + 3 * joint
                    guard clip.keypoints[place + 2] > 0 else { continue }
                    if look[joint] > 0 {
                        clip.keypoints[place + 2] = look[joint]
                    } else {
                        for part in 0..<3 { clip.keypoints[place + part] = 0 }
                    }
                }
            }
            return clip
        }
    }

    /// The mean confidence of each joint in the frames where it was seen; 0 for joints that are missing in most frames.
    private static func look(of clip: LabelledClip) -> [Float] {
        (0..<KeypointFrame.joints).map { joint -> Float in
            let all = (0..<clip.frames).map { clip.keypoints[$0 * KeypointFrame.count + 3 * joint + 2] }
            let seen = all.filter { $0 > 0 }
            guard 2 * seen.count > clip.frames else { return 0 }
            return seen.reduce(0, +) / Float(seen.count)
        }
    }

    /// For each label, the generator's motions that have its name, and those without a label of their own that are among the
    /// nearest to most of its clips, as the model sees them.
    private static func motions(
        shownBy clips: [LabelledClip], _ classifier: ActionClassifier, seed: UInt64
    ) throws(ModelFileError) -> [String: [String]] {
        guard !clips.isEmpty else { return [:] }
        var kinds: [(name: String, means: [Float])] = []
        var variance = [Float](repeating: 1e-6, count: classifier.description.network.embedding)
        for kind in SyntheticMotion.catalogue {
            let made = SyntheticDataset.clips(of: [kind.name], each: clipsOfMotion, seed: seed).map(\.clip)
            let rows = try embeddings(of: made, classifier)
            guard !rows.isEmpty else { continue }
            let means = mean(rows)
            for row in rows { for index in means.indices { variance[index] += pow2(row[index] - means[index]) } }
            kinds.append((kind.name, means))
        }
        let unlabelled = Set(
            SyntheticMotion.catalogue.filter { ModelDescription.noExercise.contains($0.label) }.map(\.name))
        var found: [String: [String]] = [:]
        for (label, own) in Dictionary(grouping: clips, by: \.label) {
            var nearest: [String: Int] = [:]
            for clip in own {
                let rows = try embeddings(of: [clip], classifier)
                guard !rows.isEmpty else { continue }
                let row = mean(rows)
                let ranked = kinds.map { (name: $0.name, distance: distance(row, $0.means, variance)) }
                    .sorted { $0.distance < $1.distance }
                for kind in ranked.prefix(nearestCount) { nearest[kind.name, default: 0] += 1 }
            }
            let motions = nearest.filter { Double($0.value) >= nearestShare * Double(own.count) }.keys
            let named = SyntheticMotion.catalogue.map(\.name).filter { isName($0, of: label) }
            found[label] = Set(motions).intersection(unlabelled).union(named).sorted()
        }
        return found.filter { !$0.value.isEmpty }
    }

    /// Whether a label names a motion, as `pull-ups` does `pull_up`.
    private static func isName(_ motion: String, of label: String) -> Bool {
        func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }
        let (motion, label) = (letters(motion), letters(label))
        return label.hasPrefix(motion) && label.count <= motion.count + 2
    }

    private static func embeddings(
        of clips: [LabelledClip], _ classifier: ActionClassifier
    ) throws(ModelFileError) -> [[Float]] {
        let model = classifier.description
        let prepared = Dataset(clips: clips).prepared(rate: model.framesPerSecond, windowFrames: model.windowFrames)
        var rows: [[Float]] = []
        for clip in prepared.clips {
            for window in clip.windows(of: model) where 5 * window.posedFrames >= 3 * window.frames {
                rows.append(try classifier.embedding(of: window))
            }
        }
        return rows
    }

    private static func mean(_ rows: [[Float]]) -> [Float] {
        var sum = rows[0]
        for row in rows.dropFirst() { for index in sum.indices { sum[index] += row[index] } }
        return sum.map { $0 / Float(rows.count) }
    }

    private static func distance(_ a: [Float], _ b: [Float], _ variance: [Float]) -> Float {
        a.indices.reduce(0) { $0 + pow2(a[$1] - b[$1]) / variance[$1] }
    }

    private static func pow2(_ value: Float) -> Float { value * value }
}
