import Capture

extension ConfigurationKey {
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
