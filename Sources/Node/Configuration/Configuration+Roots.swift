import TOMLSettings

extension Configuration: ConfigurationRoot {
    /// How the environment variables of the node's settings begin.
    package static var variablePrefix: String { "SPOTTER_" }
}

extension Configuration.Camera: ConfigurationRoot {
    /// How the environment variables of a camera's settings begin.
    package static var variablePrefix: String { Configuration.variablePrefix }
}

extension Configuration.Area: ConfigurationRoot {
    /// How the environment variables of an area's settings would begin.
    package static var variablePrefix: String { Configuration.variablePrefix }
}
