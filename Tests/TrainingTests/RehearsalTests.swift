import Actions
import Poses
import SyntheticMotion
import Testing
import Training

@Suite struct RehearsalTests {
    /// Clips of one of the generator's motions under a label of one's own.
    private func own(_ motion: String, as label: String, _ count: Int = 4) -> [LabelledClip] {
        SyntheticDataset.clips(of: [motion], each: count, seed: 5).map {
            $0.clip.with(name: $0.clip.name, label: label, group: $0.clip.group)
        }
    }

    /// A model that has learned hardly anything.
    private func model() throws -> ActionClassifier {
        var parameters = TrainingParameters()
        (parameters.epochs, parameters.widths) = (1, [4, 6, 8])
        return try Trainer(parameters).train(clips: ToyClips.all(perLabel: 4)).classifier()
    }

    @Test func `a motion that has a new label's name is not rehearsed as another one`() throws {
        let rehearsal = try Rehearsal(
            count: 400, of: ["other", "none"], beside: own("star_jump", as: "star_jumps"), from: model(), seed: 1)
        #expect(rehearsal.shown["star_jumps"]?.contains("star_jump") == true)
        #expect(!rehearsal.clips.contains { $0.name.contains("star_jump") })
        #expect(Set(rehearsal.clips.map(\.label)) == ["other", "none"])
        // Without that label it is.
        let without = try Rehearsal(count: 400, of: ["other"], beside: own("squat", as: "squat"), from: nil, seed: 1)
        #expect(without.shown.isEmpty && without.clips.contains { $0.name.contains("star_jump") })
        // Neither is a label of the model that has nearly that name.
        let named = try Rehearsal(
            count: 400, of: ["pull_up", "none"], beside: own("pull_up", as: "pull_ups"), from: model(), seed: 1)
        #expect(named.shown["pull_ups"]?.contains("pull_up") == true && Set(named.clips.map(\.label)) == ["none"])
    }

    @Test func `a folder that takes the place of a label of the model is told`() throws {
        let rehearsal = try Rehearsal(
            count: 100, of: ["biceps_curl", "none"], beside: own("curl", as: "curl"), from: model(), seed: 1)
        let note = try #require(rehearsal.notes(known: ["squat", "biceps_curl"]).first)
        #expect(
            note.contains("takes the place of biceps_curl") && note.contains("name your folder biceps_curl"), "\(note)")
        #expect(!(rehearsal.notes(known: ["squat"]).first ?? "").contains("takes the place"))
        #expect(!rehearsal.clips.contains { $0.label == "biceps_curl" })
    }

    @Test func `half of the clips look like one's own detector`() throws {
        let own = own("squat", as: "squat").map { clip in
            // This detector never finds noses, and is 0.33 sure of everything else.
            var clip = clip
            for place in stride(from: 0, to: clip.keypoints.count, by: 3) {
                let isNose = place % KeypointFrame.count == 0
                clip.keypoints[place + 2] = isNose || clip.keypoints[place + 2] == 0 ? 0 : 0.33
                if isNose { (clip.keypoints[place], clip.keypoints[place + 1]) = (0, 0) }
            }
            return clip
        }
        let clips = try Rehearsal(count: 200, of: ["squat", "none"], beside: own, from: nil, seed: 1).clips
        let dressed = clips.count { clip in
            stride(from: 2, to: clip.keypoints.count, by: 3).allSatisfy {
                clip.keypoints[$0] == 0 || abs(clip.keypoints[$0] - 0.33) < 0.001
            }
        }
        #expect((0.35...0.65).contains(Double(dressed) / Double(clips.count)), "\(dressed) of \(clips.count)")
    }
}
