import NeuralNet
import Poses

extension Dataset {
    /// Holds out about a share of each label's clips, in whole groups, so that no person is in both parts.
    ///
    /// A label whose clips all belong to one group stays in training and is not validated.
    package static func split(
        _ clips: [LabelledClip], validationShare: Double, seed: UInt64
    ) -> (training: [LabelledClip], validation: [LabelledClip]) {
        let groups = Dictionary(grouping: clips, by: \.group)
        var order = groups.keys.sorted()
        var random = RandomSource(seed: seed, path: 3)
        random.shuffle(&order)
        let totals = countsByLabel(clips)
        var held: [String: Int] = [:]
        var heldGroups: Set<String> = []
        for group in order {
            let counts = countsByLabel(groups[group] ?? [])
            // Held out if this brings some label closer to its share and leaves training clips for every label.
            let helps = counts.contains { label, count in
                let wanted = validationShare * Double(totals[label, default: 0])
                return Double(held[label, default: 0]) + Double(count) / 2 < wanted
            }
            let spares = counts.allSatisfy { label, count in
                held[label, default: 0] + count < totals[label, default: 0]
            }
            guard helps, spares else { continue }
            heldGroups.insert(group)
            held.merge(counts, uniquingKeysWith: +)
        }
        return (clips.filter { !heldGroups.contains($0.group) }, clips.filter { heldGroups.contains($0.group) })
    }

    /// Deals the clips into parts of whole groups, each label as evenly as possible. A part judges a training on the
    /// others.
    ///
    /// - Returns: the parts that have clips, fewer than `count` when there are fewer groups; none for a single group.
    package static func folds(
        _ clips: [LabelledClip], count: Int, seed: UInt64
    ) -> [(training: [LabelledClip], validation: [LabelledClip])] {
        let groups = Dictionary(grouping: clips, by: \.group)
        var order = groups.keys.sorted()
        var random = RandomSource(seed: seed, path: 3)
        random.shuffle(&order)
        var parts = [[String: Int]](repeating: [:], count: count)
        var place: [String: Int] = [:]
        for group in order {
            let counts = countsByLabel(groups[group] ?? [])
            // The part that has the fewest clips of these labels, then the fewest of all.
            let target =
                parts.indices.min { a, b in
                    func load(_ part: Int) -> (Int, Int) {
                        (counts.keys.reduce(0) { $0 + parts[part][$1, default: 0] }, parts[part].values.reduce(0, +))
                    }
                    return load(a) < load(b)
                } ?? 0
            place[group] = target
            parts[target].merge(counts, uniquingKeysWith: +)
        }
        return (0..<count).map { part in
            (clips.filter { place[$0.group] != part }, clips.filter { place[$0.group] == part })
        }.map { training, validation in
            // A label that only this part shows was not learned from the others, so they cannot be judged by it.
            let learned = Set(training.map(\.label))
            return (training, validation.filter { learned.contains($0.label) })
        }.filter { !$0.validation.isEmpty }
    }

    /// The clips, with those of a label that only one person shows as groups of their own: judging them by each other is
    /// better than not at all. Parts of one recording stay together.
    package static func separated(_ clips: [LabelledClip]) -> [LabelledClip] {
        let groups = Dictionary(grouping: clips, by: \.label).mapValues { Set($0.map(\.group)) }
        let labels = Dictionary(grouping: clips, by: \.group).mapValues { Set($0.map(\.label)) }
        return clips.map { clip in
            let isAlone = groups[clip.label]?.count == 1 && labels[clip.group]?.count == 1
            let isPart = clip.name.hasPrefix(clip.group)
            return isAlone && !isPart ? clip.with(group: clip.name) : clip
        }
    }

    private static func countsByLabel(_ clips: [LabelledClip]) -> [String: Int] {
        clips.reduce(into: [:]) { $0[$1.label, default: 0] += 1 }
    }

    /// Checks that no held-out clip shares its group or its poses with a training clip.
    ///
    /// - Parameter kind: name of the held-out clips in the error: validation, test.
    /// - Throws: ``TrainingError/leak(kind:group:clips:)``.
    package static func refuseLeak(
        from training: [LabelledClip], to held: [LabelledClip], called kind: String
    ) throws(TrainingError) {
        let groups = Dictionary(grouping: training, by: \.group)
        for clip in held {
            if let same = groups[clip.group] {
                throw .leak(kind: kind, group: "'\(clip.group)'", clips: [clip.name] + same.map(\.name))
            }
        }
        let contents = Dictionary(grouping: training, by: \.keypoints)
        for clip in held {
            if let same = contents[clip.keypoints] {
                throw .leak(kind: kind, group: "the same recording", clips: [clip.name] + same.map(\.name))
            }
        }
    }
}
