import Actions
import Foundation
import NeuralNet
import Poses
import SyntheticMotion
import Testing
import Training

@Suite struct AnswerRoundTests {
    private func pairs(_ clips: Int, won: Int = 0, lost: Int = 0) -> AnswerRound.Pairs {
        var pairs = AnswerRound.Pairs()
        for clip in 0..<clips { pairs.add(before: clip >= won, after: clip < won || clip >= won + lost) }
        return pairs
    }

    private func decision(
        _ answers: AnswerRound.Pairs, generated: AnswerRound.Pairs? = nil, newer: AnswerRound.Pairs? = nil,
        labels: [String: AnswerRound.Pairs] = [:]
    ) -> AnswerRound.Decision {
        AnswerRound.decide(answers, generated ?? pairs(1000), newer, labels, [:])
    }

    @Test func `a model is taken only when chance would hardly win so often`() {
        // Three of three are won by chance in one of eight cases, four of four in one of sixteen.
        #expect(!decision(pairs(20, won: 3)).isBetter && decision(pairs(20, won: 4)).isBetter)
        #expect(!decision(pairs(20, won: 4, lost: 3)).isBetter && !decision(pairs(20, lost: 4)).isBetter)
        #expect(!decision(pairs(20)).isBetter)
    }

    @Test func `a model that lost what the shipped one knew is not taken, and the reason says what`() {
        let good = pairs(20, won: 6)
        #expect(decision(good, generated: pairs(1000, lost: 10)).isBetter)
        let forgetful = decision(good, generated: pairs(1000, lost: 11))
        #expect(!forgetful.isBetter && forgetful.reasons.count == 1 && forgetful.reasons[0].contains("forgot"))
        #expect(decision(good, labels: ["squat": pairs(100, lost: 3)]).isBetter)
        let worse = decision(good, labels: ["squat": pairs(100, lost: 4), "lunge": pairs(100)])
        #expect(!worse.isBetter && worse.reasons.count == 1 && worse.reasons[0].contains("squat"))
        // Of few clips a loss cannot be told from chance.
        #expect(decision(good, labels: ["squat": pairs(19, lost: 4)]).isBetter)
        #expect(!decision(good, newer: pairs(10, won: 1, lost: 2)).isBetter)
        #expect(decision(good, newer: pairs(10, won: 2, lost: 2)).isBetter)
    }

    @Test func `half of what is learned of an answer is filmed again, and of an outdated one a third as much`() throws {
        let answers = SyntheticDataset.clips(perLabel: ["squat": 30], seed: 3).map(\.clip)
        let file = try ModelFile(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Models/exercises.safetensors")
        )
        let round = AnswerRound(shipped: file, inUse: file)
        let learned = round.repeated(answers, [answers[0].name])
        func count(_ answer: LabelledClip) -> (plain: Int, filmed: Int) {
            (learned.count { $0.name == answer.name }, learned.count { $0.name.hasPrefix(answer.name + "/filmed/") })
        }
        #expect(count(answers[1]) == (10, 10) && count(answers[0]) == (4, 3))
        #expect(learned.allSatisfy { $0.label == "squat" } && Set(learned.map(\.group)) == Set(answers.map(\.group)))
        // A clip in which nobody is seen cannot be filmed, and is learned as it is.
        let unseen = LabelledClip(
            name: "unseen", label: "squat", group: "a", rate: 30, aspect: 1,
            keypoints: [Float](repeating: 0, count: answers[1].keypoints.count))
        #expect(round.repeated([unseen], []).map(\.name) == Array(repeating: "unseen", count: 20))
    }
}
