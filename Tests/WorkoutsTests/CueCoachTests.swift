import Actions
import Testing
import Workouts

@Suite struct CueCoachTests {
    private static let depth = rule(.kneeFlexion, least: 90, cue: "Bent to {value}: go down to {limit}.")
    private static let trunk = rule(.trunkLean, most: 50, cue: "Leans by {value}.")

    static func rule(
        _ measure: FormMeasurement, least: Double? = nil, most: Double? = nil, cue: String,
        unless: FormMeasurement? = nil
    ) -> FormRule {
        var rule = FormRule()
        (rule.action, rule.measure, rule.least, rule.most, rule.tolerance) = ("squat", measure, least, most, 10)
        (rule.cueBelow, rule.cueAbove, rule.unless) = (least == nil ? "" : cue, most == nil ? "" : cue, unless)
        (rule.praise, rule.factor) = ("Better.", .primary)
        return rule
    }

    static func measures(_ values: [FormMeasurement: Double], uncertainty: Double = 5) -> RepetitionMeasures {
        RepetitionMeasures(view: .side, readings: values.mapValues { .init($0, uncertainty: uncertainty) })
    }

    private func said(_ rules: [FormRule], _ repetitions: [[FormMeasurement: Double]]) -> [String] {
        var coach = CueCoach(rules)
        return repetitions.enumerated().map { index, values in
            coach.cue(after: index + 1, Self.measures(values))?.text ?? ""
        }
    }

    @Test func `a cue names what was measured and what to do`() throws {
        var coach = CueCoach([Self.depth])
        let said = coach.cue(after: 4, Self.measures([.kneeFlexion: 70.4]))
        let cue = try #require(said)
        #expect(cue.text == "Bent to 70°: go down to 90°.")
        #expect(cue.kind == .fault && cue.measure == .kneeFlexion && cue.limit == 90 && cue.repetition == 4)
    }

    @Test func `the same cue comes again after three repetitions at the earliest`() {
        let shallow = Array(repeating: [FormMeasurement.kneeFlexion: 60.0], count: 8)
        #expect(
            said([Self.depth], shallow).map { !$0.isEmpty } == [true, false, false, true, false, false, true, false])
    }

    @Test func `only the most important fault is talked about`() {
        let both: [FormMeasurement: Double] = [.kneeFlexion: 60, .trunkLean: 80]
        let texts = said([Self.depth, Self.trunk], [both, both, both, [.kneeFlexion: 100, .trunkLean: 80]])
        #expect(texts == ["Bent to 60°: go down to 90°.", "", "", "Leans by 80°."])
    }

    @Test func `nothing is said of what is uncertain or was not measured`() {
        // 90 - 83 is less than 1.65 standard errors of 5.
        #expect(said([Self.depth], [[.kneeFlexion: 83], [:], [.hipDrop: 0.1]]) == ["", "", ""])
    }

    @Test func `a fault that is mended is praised once`() {
        let texts = said(
            [Self.depth], [[.kneeFlexion: 60], [.kneeFlexion: 85], [.kneeFlexion: 95], [.kneeFlexion: 95]])
        #expect(texts == ["Bent to 60°: go down to 90°.", "", "Better.", ""])
    }

    @Test func `a rule that stands in counts only without the better measurement`() {
        let standIn = Self.rule(.hipDrop, least: 0.35, cue: "Lower.", unless: .kneeFlexion)
        #expect(said([Self.depth, standIn], [[.kneeFlexion: 100, .hipDrop: -20]]) == [""])
        #expect(said([Self.depth, standIn], [[.hipDrop: -20]]) == ["Lower."])
    }
}
