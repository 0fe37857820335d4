import NeuralNet

extension Dataset {
    /// Holds out about a share of each label's clips, by whole groups: nobody is in both parts.
    ///
    /// A label all of whose clips belong to one group stays in training, and is then not validated.
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
            // Taken if it brings some label closer to its share, and leaves every label clips to learn from.
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

    private static func countsByLabel(_ clips: [LabelledClip]) -> [String: Int] {
        clips.reduce(into: [:]) { $0[$1.label, default: 0] += 1 }
    }

    /// Refuses clips to judge by that show who or what is learned from: the same group, or the very same poses.
    ///
    /// - Parameter kind: what the clips are called in the error: validation, test.
    /// - Throws: ``TrainingError/leak(kind:group:clips:)``
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
