import Actions

extension WorkoutPlan.Step {
    /// The rules by which this step is judged: the exercise's own, those that the step switches on, and its targets in the
    /// place of the usual limits.
    package func rules(_ rules: FormRules) -> [FormRule] {
        rules.rules(for: action, switchedOn: Set(watch ?? []), targets: targets(rules))
    }

    private func targets(_ rules: FormRules) -> [FormRule] {
        var targets: [FormRule] = []
        if rangeLeast != nil || rangeMost != nil, let measure = rules.ranges(of: action).first {
            var rule = rules.rules(for: action).first { $0.measure == measure } ?? FormRule()
            (rule.least, rule.most) = (rangeLeast, rangeMost)
            if rangeLeast == nil { rule.cueBelow = "" }
            if rangeMost != nil { rule.cueAbove = "\(measure.title) {value}: no further than {limit}." }
            targets.append(rule)
        }
        if secondsLeast != nil || secondsMost != nil {
            var rule = FormRule()
            (rule.action, rule.measure, rule.least, rule.most) = (action, .seconds, secondsLeast, secondsMost)
            rule.tolerance = max(0.3, ((secondsMost ?? secondsLeast ?? 2) - (secondsLeast ?? 0)) / 2)
            rule.cueBelow = "One repetition in {value}: take {limit} or more."
            rule.cueAbove = "One repetition in {value}: take {limit} or less."
            rule.praise = "Good pace now."
            if secondsLeast == nil { rule.cueBelow = "" }
            if secondsMost == nil { rule.cueAbove = "" }
            targets.append(rule)
        }
        return targets
    }
}
