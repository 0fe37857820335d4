import Actions
import Foundation
import TestSupport
import Testing
import Workouts

@Suite struct FormRulesFileTests {
    private func rules(_ text: String) throws -> FormRules {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "own.rules.toml")
        try Data(text.utf8).write(to: file)
        return try FormRules(contentsOf: file)
    }

    @Test func `the shipped file judges the range of every exercise it names`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shipped = try FormRules(contentsOf: root.appending(path: "Models/exercises.rules.toml"))
        let actions = Set(shipped.rules.filter(\.isOn).map(\.action)).subtracting([FormRule.everyAction])
        #expect(actions == ["squat", "lunge", "push_up", "sit_up", "jumping_jack", "burpee"])
        for action in actions { #expect(!shipped.ranges(of: action).isEmpty) }
        let lockOuts = shipped.rules.filter { [.kneeLockOut, .elbowLockOut].contains($0.measure) }
        #expect(lockOuts.count == 10 && lockOuts.allSatisfy { !$0.isOn && $0.most != nil }, "a plan switches them on")
        // That the knee must stay behind the toes is folklore.
        #expect(!shipped.rules(for: "lunge").contains { $0.measure == .kneeOverToes })
        #expect(shipped.rules(for: "lunge", switchedOn: [.kneeOverToes]).contains { $0.measure == .kneeOverToes })
    }

    @Test func `a rule has all its values, and the views narrow those of the measurement`() throws {
        let rule = try #require(
            try rules(
                """
                [[rule]]
                action = "hop"
                measure = "hip_flexion"
                least = 30
                tolerance = 5
                factor = "primary"
                weight = 2
                views = ["side"]
                cue_below = "Bent by {value}."
                praise = "Good."
                """
            ).rules.first)
        #expect(rule.views == [.side] && rule.least == 30 && rule.most == nil && rule.factor == .primary)
        #expect(FormRules.file(of: URL(filePath: "/m/own.safetensors")).path == "/m/own.rules.toml")
    }

    @Test(arguments: [
        ("[[rule]]\nmeasure = \"seconds\"\nleast = 1\ntolerance = 1", "needs action"),
        ("[[rule]]\naction = \"hop\"\nleast = 1\ntolerance = 1", "needs measure"),
        ("[[rule]]\naction = \"hop\"\nmeasure = \"seconds\"\nleast = 1", "needs tolerance"),
        ("[[rule]]\naction = \"hop\"\nmeasure = \"secs\"", ":3:1: rule.measure expects one of"),
        ("[[rule]]\naction = \"hop\"\nmeasures = \"seconds\"", "did you mean 'rule.measure'"),
        ("[[rule]]\naction = \"hop\"\nmeasure = \"seconds\"\nleast = 2\nmost = 1\ntolerance = 1", "above its most"),
        (
            "[[rule]]\naction = \"hop\"\nmeasure = \"seconds\"\nmost = 2\ntolerance = 1\ncue_below = \"x\"",
            "without least"
        ),
        ("limit = 3", "unknown key"), ("[[rule]", ":1:"),
    ])
    func `a wrong file is refused with its place`(text: String, part: String) throws {
        let error = #expect(throws: FormRulesError.self) { try rules(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
