import Poses
import Testing
import Training

@Suite struct TrainingVerdictTests {
    private func results(_ label: String, _ answers: [String]) -> [ClipEvaluation.ClipResult] {
        answers.enumerated().map { index, answer in
            ClipEvaluation.ClipResult(
                clip: "\(label)/\(index)", label: label, windows: 3, answer: answer, confidence: 0.9, reported: answer,
                isRight: answer == label)
        }
    }

    private func verdict(
        _ clips: [String: Int], answers: [String: [String]], hasOthers: Bool = true, people: Int = 9
    ) -> TrainingVerdict {
        let own = clips.flatMap { label, count in
            (0..<count).map { ToyClips.clip($0, label: label).with(group: "person \($0 % people)") }
        }
        let found = answers.flatMap { results($0.key, $0.value) }
        return TrainingVerdict(own: own, results: found, hasOthers: hasOthers)
    }

    @Test func `labels that are recognised are ready`() {
        let verdict = verdict(
            ["jack": 5, "squat": 5],
            answers: [
                "jack": .init(repeating: "jack", count: 5),
                "squat": ["squat", "squat", "squat", "squat", "jack"],
            ])
        #expect(verdict.isReady && verdict.reasons.isEmpty && verdict.text.contains("READY"))
        #expect(verdict.labels.map(\.right) == [5, 4] && verdict.labels[1].mistakenFor == ["jack": 1])
    }

    @Test func `a label that looks like another is not ready, and the verdict names both`() {
        let verdict = verdict(
            ["jack": 4, "squat": 4],
            answers: [
                "jack": .init(repeating: "jack", count: 4),
                "squat": ["squat", "jack", "jack", "squat"],
            ])
        #expect(verdict.reasons == ["squat was recognised in only 2 of 4 held-out clips; 2 looked like jack."])
        #expect(verdict.next.contains { $0.contains("squat") && $0.contains("jack") })
    }

    @Test func `too few clips, nobody held out and no other motions are reasons`() {
        #expect(verdict(["jack": 2], answers: [:]).reasons == ["jack has only 2 clips."])
        #expect(verdict(["jack": 4], answers: [:]).reasons.contains { $0.contains("was held out") })
        let alone = verdict(["jack": 4], answers: ["jack": .init(repeating: "jack", count: 4)], hasOthers: false)
        #expect(!alone.isReady && alone.next.contains { $0.contains("none/") })
    }

    @Test func `clips of one recording cannot be judged, and a second one is asked for`() {
        let verdict = verdict(["jack": 5], answers: [:], people: 1)
        let reason = "All clips of jack come from one recording, so none could be held out to judge it."
        #expect(verdict.reasons == [reason])
        #expect(verdict.next == ["Record jack in a video of its own by a second person."])
    }

    @Test func `a few clips of no exercise are no reason`() {
        let right = [String](repeating: "jack", count: 4)
        #expect(verdict(["jack": 4, "none": 1, "other": 2], answers: ["jack": right]).isReady)
    }

    @Test(arguments: [(0, true, 0), (3, true, 0), (4, true, 1), (10, true, 1), (11, false, 0)])
    func `what is shown for something else is told, is a warning, or is a reason`(
        count: Int, isReady: Bool, warnings: Int
    ) {
        let own = (0..<4).map { ToyClips.clip($0, label: "jack").with(group: "person \($0)") }
        let others = results("other", (0..<100).map { $0 < count ? "jack" : $0 < 50 ? "lunge" : "other" })
        let verdict = TrainingVerdict(
            own: own, results: results("jack", .init(repeating: "jack", count: 4)), hasOthers: true,
            falseReports: TrainingVerdict.FalseReports(others, labels: ["jack", "other"]))
        #expect(verdict.isReady == isReady && verdict.warnings.count == warnings)
        #expect(verdict.text.contains("\(count) of 100 generated clips of something else are shown as yours"))
        #expect(verdict.next.isEmpty == (count <= 3))
    }

    @Test func `one person is a warning`() {
        let verdict = verdict(["jack": 4], answers: ["jack": .init(repeating: "jack", count: 4)], people: 1)
        #expect(verdict.isReady && verdict.warnings.contains { $0.contains("one person") })
    }

    @Test func `clips of a label's only person judge each other, parts of one recording do not`() {
        func clip(_ name: String, _ label: String, group: String) -> LabelledClip {
            ToyClips.clip(0, label: label).with(name: name, label: label, group: group)
        }
        let clips = [
            clip("jack/anna/1.mp4", "jack", group: "anna"), clip("jack/anna/2.mp4", "jack", group: "anna"),
            clip("squat/ben/1.mp4", "squat", group: "ben"), clip("squat/cleo/1.mp4", "squat", group: "cleo"),
            clip("long.mp4 0-5", "none", group: "long.mp4"), clip("long.mp4 5-9", "none", group: "long.mp4"),
        ]
        let groups = Dataset.separated(clips).map(\.group)
        #expect(groups == ["jack/anna/1.mp4", "jack/anna/2.mp4", "ben", "cleo", "long.mp4", "long.mp4"])
        // Who shows two labels stays one group: their clips would judge each other across labels.
        let both = [clips[0], clips[1], clip("squat/anna/1.mp4", "squat", group: "anna")]
        #expect(Dataset.separated(both).map(\.group) == ["anna", "anna", "anna"])
    }

    @Test func `folds keep groups together, and each clip judges once`() {
        let clips = ToyClips.all(perLabel: 8)
        let folds = Dataset.folds(clips, count: 3, seed: 1)
        #expect(folds.count == 3)
        #expect(folds.flatMap { $0.validation.map(\.name) }.sorted() == clips.map(\.name).sorted())
        for fold in folds {
            #expect(Set(fold.training.map(\.group)).isDisjoint(with: fold.validation.map(\.group)))
            #expect(Set(fold.training.map(\.label)) == Set(ToyClips.labels))
        }
    }
}
