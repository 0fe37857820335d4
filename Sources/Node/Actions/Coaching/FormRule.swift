/// What is right in one measurement of an exercise, and what to say where it is not.
public struct FormRule: Sendable, Equatable {
    /// The part of a score that a rule belongs to, as in clinical scales.
    public enum Factor: String, Sendable, Codable, CaseIterable {
        /// What the exercise is done for: its range of motion.
        case primary
        /// How it is controlled: trunk, symmetry, tempo.
        case control
    }

    /// The label of the exercise; ``everyAction`` for all.
    public var action = FormRule.everyAction
    /// What is measured.
    public var measure = FormMeasurement.seconds
    /// Values are right from here; `nil` for no lower limit.
    public var least: Double?
    /// Values are right up to here; `nil` for no upper limit.
    public var most: Double?
    /// The distance from the limit that counts as one more unit of deviation.
    public var tolerance = 0.0
    /// The part of the score.
    public var factor = Factor.control
    /// The weight within the part, above 0.
    public var weight = 1.0
    /// The views from which it is judged; `nil` for all from which it can be measured.
    public var ownViews: [CameraView]?
    /// The rule counts only where this has no reading.
    public var unless: FormMeasurement?
    /// Whether it counts and is said without being asked for. A plan can switch it on.
    public var isOn = true
    /// What to say below ``least``, with `{value}` and `{limit}`; empty for nothing.
    public var cueBelow = ""
    /// What to say above ``most``, with `{value}` and `{limit}`; empty for nothing.
    public var cueAbove = ""
    /// What to say when the fault is mended; empty for nothing.
    public var praise = ""

    /// A rule without limits.
    public init() {}

    /// The action of rules for all exercises.
    public static let everyAction = "any"

    /// Whether it only measures and judges nothing.
    public var isOnlyMeasured: Bool { least == nil && most == nil }

    /// The views from which it is judged.
    public var views: Set<CameraView> { ownViews.map(measure.views.intersection) ?? measure.views }

    /// How far a value is beyond a limit, in the unit of the measurement; 0 where it is right.
    public func excess(_ value: Double) -> Double {
        max(0, (least ?? -.infinity) - value, value - (most ?? .infinity))
    }

    /// The deviation in units of the tolerance: 0 is right, 1 is the limit, 4 scores nothing.
    func deviation(_ value: Double) -> Double {
        let excess = excess(value)
        return excess > 0 ? 1 + excess / max(tolerance, 1e-6) : 0
    }
}

/// The rules of all exercises: what good form is. They are read from a file beside the model.
public struct FormRules: Sendable, Equatable {
    /// The rules in the order of the file. Cues are given in this order.
    public var rules: [FormRule]

    /// Rules of these values.
    public init(_ rules: [FormRule] = []) { self.rules = rules }

    /// The rules for a label.
    ///
    /// - Parameters:
    ///   - switchedOn: measurements whose rules count although they are off.
    ///   - targets: rules that take the place of those with the same measurement.
    public func rules(
        for label: String, switchedOn: Set<FormMeasurement> = [], targets: [FormRule] = []
    ) -> [FormRule] {
        let own = rules.filter {
            ($0.action == label || $0.action == FormRule.everyAction) && ($0.isOn || switchedOn.contains($0.measure))
        }
        return targets + own.filter { rule in !targets.contains { $0.measure == rule.measure } }
    }

    /// The measurements that stand for the range of motion, the best first: those of the primary rules.
    public func ranges(of label: String) -> [FormMeasurement] {
        rules(for: label).filter { $0.factor == .primary }.map(\.measure)
    }
}
