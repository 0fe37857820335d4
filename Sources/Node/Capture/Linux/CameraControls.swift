/// The wanted settings of a camera. By default everything stays as the camera has it.
public struct CameraControls: Sendable, Equatable {
    /// How one control is set.
    public enum Adjustment: Sendable, Equatable {
        /// Leaves the control as it is.
        case keep
        /// Turns on the camera's automatic mode.
        case automatic
        /// Turns the automatic mode off and sets this value.
        case value(Double)
    }

    /// The mains frequency that the camera's flicker filter expects.
    public enum PowerLine: String, Sendable, CaseIterable {
        /// Leaves the filter as it is.
        case keep
        case automatic = "auto"
        case off
        case hertz50 = "50"
        case hertz60 = "60"
    }

    /// Exposure time per picture, in milliseconds.
    public var exposure = Adjustment.keep
    /// Sensor gain, in the camera's own units.
    public var gain = Adjustment.keep
    /// Colour temperature of the light, in kelvin.
    public var whiteBalance = Adjustment.keep
    /// The filter against the flicker of lamps.
    public var powerLine = PowerLine.keep
    /// Whether to turn on the camera's image stabilisation.
    public var isStabilised = false
    /// Further controls by name, such as `focus_automatic_continuous`, and their values. The names are the driver's, in
    /// lower case with `_` for everything else, as `v4l2-ctl` shows them.
    public var named: [String: Int] = [:]
    /// How the pictures are rotated and mirrored.
    public var orientation = Orientation.upright

    /// Changes nothing.
    public init() {}
}
