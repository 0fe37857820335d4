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
