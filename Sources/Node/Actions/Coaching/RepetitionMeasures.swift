import Poses

/// What was measured in one repetition.
public struct RepetitionMeasures: Sendable, Equatable {
    /// A measured value.
    public struct Reading: Sendable, Equatable, Codable {
        /// The value in the unit of its ``FormMeasurement``.
        public var value: Double
        /// The standard error of the value, in the same unit.
        public var uncertainty: Double

        /// A reading of these values.
        public init(_ value: Double, uncertainty: Double) {
            self.value = value
            self.uncertainty = uncertainty
        }
    }

    /// Why there is no reading.
    public enum Missing: String, Error, Sendable, Codable, CaseIterable {
        /// Joints that it needs are hidden or outside the picture.
        case jointsUnseen = "joints_unseen"
        /// It cannot be measured from this view.
        case view
        /// The person is too small in the picture.
        case tooSmall = "too_small"
        /// A limb points to or away from the camera.
        case foreshortened
        /// The edge of the picture cuts the body. Joints outside are only guessed.
        case poorView = "poor_view"
    }

    /// The view from which the repetition was seen.
    public var view: CameraView
    /// What could be measured.
    public var readings: [FormMeasurement: Reading]
    /// What could not be measured, and why.
    public var missing: [FormMeasurement: Missing]

    /// Measures of these values.
    public init(view: CameraView, readings: [FormMeasurement: Reading] = [:], missing: [FormMeasurement: Missing] = [:])
    {
        self.view = view
        self.readings = readings
        self.missing = missing
    }

    /// Whether the edge of the picture cuts the body.
    public var isPoorView: Bool { missing.values.contains(.poorView) }

    /// The reading of a measurement; `nil` without one.
    public subscript(measurement: FormMeasurement) -> Reading? { readings[measurement] }
}

/// A side of the body.
public typealias BodySide = Poses.BodySide

extension BodySide {
    /// How often each side is among those that are known; `nil` where none is.
    package static func counts(of sides: [BodySide?]) -> (left: Int, right: Int)? {
        let known = sides.compactMap(\.self)
        let left = known.count { $0 == .left }
        return known.isEmpty ? nil : (left, known.count - left)
    }
}

extension RepetitionMeasures.Reading {
    /// A side is told from this value of ``FormMeasurement/workingSide`` on, either way.
    private static let surelyOneSide = 0.5

    /// The side that a reading of ``FormMeasurement/workingSide`` tells; `nil` for both, and where it is unsure.
    package var side: BodySide? { abs(value) < Self.surelyOneSide ? nil : value < 0 ? .left : .right }
}
