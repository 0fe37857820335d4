import Capture
import TOMLSettings

extension ConfigurationKey {
    /// Whole numbers by name: `{ focus_absolute = 30 }` in the file, `focus_absolute=30,sharpness=2` in the environment.
    static func controls(_ name: String, _ path: any Path<[String: Int]>) -> Self { Self(name, path, .controls) }

    /// A camera control: a number in `range`, or `"keep"` or `"auto"`.
    static func adjustment(
        _ name: String, _ path: any Path<CameraControls.Adjustment>, _ range: ClosedRange<Double>
    ) -> Self {
        Self(name, path, .adjustment(range))
    }
}

extension SettingKind<[String: Int]> {
    /// `{ focus_absolute = 30, sharpness = 2 }`.
    static func inlineTable(_ numbers: [String: Int]) -> String { TOMLText.inlineTable(numbers.mapValues(String.init)) }

    fileprivate static let controls = Self(
        read: { value in
            guard let numbers = value.numbers else {
                throw SettingRefusal(
                    reason: "expects whole numbers by name, such as { focus_automatic_continuous = 0 }")
            }
            for name in numbers.keys.sorted() where name.wholeMatch(of: /[a-z0-9_]{1,63}/) == nil {
                throw SettingRefusal(
                    reason: "has \"\(name)\" in it; `v4l2-ctl --list-ctrls` shows the names, such as focus_absolute")
            }
            return numbers
        },
        text: inlineTable, schema: ["type": "object", "additionalProperties": ["type": ["integer", "boolean"]]])
}

extension SettingKind<CameraControls.Adjustment> {
    fileprivate static func adjustment(_ range: ClosedRange<Double>) -> Self {
        Self(
            read: { value in
                if case .text("keep") = value { return .keep }
                if case .text("auto") = value { return .automatic }
                guard let number = value.number, range.contains(number) else {
                    let numbers = "a number from \(range.lowerBound) to \(range.upperBound)"
                    throw SettingRefusal(reason: "expects \"keep\", \"auto\", or \(numbers)")
                }
                return .value(number)
            },
            text: { adjustment in
                switch adjustment {
                case .keep: "\"keep\""
                case .automatic: "\"auto\""
                case .value(let number): String(number)
                }
            },
            schema: [
                "anyOf": [
                    ["enum": ["keep", "auto"]],
                    ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)],
                ]
            ])
    }
}
