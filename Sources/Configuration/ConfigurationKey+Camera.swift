import TOMLSettings
import Capture

extension ConfigurationKey {
    /// Whole numbers by name: `{ focus_absolute = 30 }` in the file, `focus_absolute=30,sharpness=2` in the environment.
    static func controls(_ name: String, _ path: any Path<[String: Int]>) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard let numbers = value.numbers else {
                    throw Refusal(reason: "expects whole numbers by name, such as { focus_automatic_continuous = 0 }")
                }
                for name in numbers.keys.sorted() where name.wholeMatch(of: /[a-z0-9_]{1,63}/) == nil {
                    throw Refusal(
                        reason: "has \"\(name)\" in it; `v4l2-ctl --list-ctrls` shows the names, such as focus_absolute"
                    )
                }
                root[keyPath: path] = numbers
            },
            text: { root in
                let numbers = root[keyPath: path].sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
                return numbers.isEmpty ? "{}" : "{ \(numbers.joined(separator: ", ")) }"
            },
            schema: ["type": "object", "additionalProperties": ["type": ["integer", "boolean"]]])
    }

    /// A camera control: a number in `range`, or `"keep"` or `"auto"`.
    static func adjustment(
        _ name: String, _ path: any Path<CameraControls.Adjustment>, _ range: ClosedRange<Double>
    ) -> Self {
        Self(
            name: name,
            set: { root, value in
                if case .text("keep") = value {
                    root[keyPath: path] = .keep
                } else if case .text("auto") = value {
                    root[keyPath: path] = .automatic
                } else if let number = value.number, range.contains(number) {
                    root[keyPath: path] = .value(number)
                } else {
                    let numbers = "a number from \(range.lowerBound) to \(range.upperBound)"
                    throw Refusal(reason: "expects \"keep\", \"auto\", or \(numbers)")
                }
            },
            text: {
                switch $0[keyPath: path] {
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
