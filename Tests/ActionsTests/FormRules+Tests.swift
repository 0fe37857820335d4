import Actions

extension FormRule {
    /// A rule of these values.
    init(
        _ action: String, _ measure: FormMeasurement, least: Double? = nil, most: Double? = nil, tolerance: Double,
        weight: Double = 1, factor: Factor = .control, unless: FormMeasurement? = nil
    ) {
        self.init()
        (self.action, self.measure, self.least, self.most) = (action, measure, least, most)
        (self.tolerance, self.weight, self.factor, self.unless) = (tolerance, weight, factor, unless)
    }
}

extension FormRules {
    /// Rules for squats, and the rhythm of everything.
    static let squats = FormRules([
        FormRule("squat", .kneeFlexion, least: 90, tolerance: 15, weight: 3, factor: .primary),
        FormRule("squat", .hipDrop, least: 0.35, tolerance: 0.1, weight: 3, factor: .primary, unless: .kneeFlexion),
        FormRule("squat", .trunkLean, most: 50, tolerance: 25, weight: 3),
        FormRule("squat", .asymmetry, most: 0.15, tolerance: 0.15, weight: 2),
        FormRule("squat", .seconds, least: 1.5, most: 5, tolerance: 1.75),
        FormRule("squat", .loweringRatio, least: 0.6, most: 3.75, tolerance: 1),
        FormRule(FormRule.everyAction, .rhythm, most: 0.25, tolerance: 0.25),
        FormRule(FormRule.everyAction, .coachDistance, most: 1, tolerance: 1, weight: 3),
    ])

    /// Rules for six exercises.
    static let usual = FormRules(
        squats.rules + [
            FormRule("lunge", .hipDrop, least: 0.22, tolerance: 0.07, factor: .primary),
            FormRule("lunge", .trunkLean, most: 50, tolerance: 25),
            FormRule("push_up", .shoulderDrop, least: 0.45, tolerance: 0.12, factor: .primary),
            FormRule("push_up", .bodyBend, most: 12, tolerance: 12),
            FormRule("sit_up", .trunkRise, least: 0.6, tolerance: 0.15, factor: .primary),
            FormRule("jumping_jack", .wristRise, least: 1.3, tolerance: 0.25, factor: .primary),
            FormRule("burpee", .hipTravel, least: 0.9, tolerance: 0.2, factor: .primary),
        ])
}
