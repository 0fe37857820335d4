import Actions

extension WorkoutPlan.Step {
    /// The rules by which this step is judged: the exercise's own, those that the step switches on, and its targets in the
    /// place of the usual limits.
    package func rules(_ rules: FormRules) -> [FormRule] {
        rules.rules(for: action, switchedOn: Set(watch ?? []), targets: targets(rules))
    }

    /// Whether each repetition is judged while the step goes on.
    var judgesRepetitions: Bool { standard != nil || stopAtSlower != nil }

    /// Whether a repetition may not count.
    package var refusesRepetitions: Bool { standard != nil || checksSide }

    /// Whether the side that works can be told. A step of seconds has no repetitions.
    private var tellsSide: Bool { seconds == nil && Exercise.named(action)?.hasSides == true }

    /// Whether the step has a side that is only shown, because it cannot be told.
    package var onlyShowsSide: Bool { side != nil && !tellsSide }

    /// Whether a repetition of the other side does not count.
    private var checksSide: Bool { side != nil && side != .alternating && tellsSide }

    /// Whether the person is told where a side works twice in a row.
    var changesSides: Bool { side == .alternating }

    /// The rule that refuses repetitions of the other side; `nil` for none.
    private var sideRule: FormRule? {
        guard checksSide else { return nil }
        var rule = FormRule()
        (rule.action, rule.measure, rule.tolerance) = (action, .workingSide, 1)
        (rule.least, rule.most) = side == .left ? (nil, 0) : (0, nil)
        return rule
    }

    /// The rules that a repetition must meet to count; `nil` where each counts, empty where the exercise has no such rules.
    ///
    /// They are those of the standard, and that the planned side works.
    package func refusingRules(_ rules: FormRules) -> [FormRule]? {
        refusesRepetitions ? (standardRules(rules) ?? []) + [sideRule].compactMap(\.self) : nil
    }

    /// The rules of the standard; `nil` without one, empty where the exercise has no such rules.
    ///
    /// They are the range of motion, and straight joints at the end. Of a range that one camera cannot measure nothing else
    /// stands in its place: such a repetition counts.
    package func standardRules(_ rules: FormRules) -> [FormRule]? {
        guard standard != nil else { return nil }
        let usual = rules.rules(for: action)
        var found: [FormRule] = []
        if let measure = rules.ranges(of: action).first, var range = usual.first(where: { $0.measure == measure }) {
            (range.least, range.most) = (rangeLeast ?? range.least, nil)
            found.append(range)
        }
        let lockOuts = FormMeasurement.lockOuts
        for var rule in rules.rules(for: action, switchedOn: lockOuts) where lockOuts.contains(rule.measure) {
            rule.most = lockOut ?? rule.most
            found.append(rule)
        }
        return found.filter { !$0.isOnlyMeasured }
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
