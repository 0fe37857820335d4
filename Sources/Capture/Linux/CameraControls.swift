/// How a camera is to be set; what is not wanted stays as the camera has it.
public struct CameraControls: Sendable, Equatable {
    /// A number of the camera, or leaving it to the camera's own automatic.
    public enum Adjustment: Sendable, Equatable {
        case keep
        case automatic
        case value(Double)
    }

    public enum PowerLine: String, Sendable, CaseIterable {
        case keep
        case automatic = "auto"
        case off
        case hertz50 = "50"
        case hertz60 = "60"
    }

    /// Milliseconds that the sensor gathers light for a picture.
    public var exposure = Adjustment.keep
    /// In the camera's own units.
    public var gain = Adjustment.keep
    /// The light's colour temperature in kelvin.
    public var whiteBalance = Adjustment.keep
    /// Against the flicker of lamps.
    public var powerLine = PowerLine.keep
    public var isStabilised = false
    public var orientation = Orientation.upright

    public init() {}
}
