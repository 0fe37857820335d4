import Records

/// A command that other parts of the node carry out. All other commands are answered on the messaging thread.
public enum NodeCommand: Sendable, Equatable {
    /// End the open sessions of one camera.
    case endSessions(camera: String)
    /// Switch one camera on or off.
    case setCamera(String, enabled: Bool)
    /// Check the configuration file without applying it.
    case checkConfiguration
    /// Publish an image of the skeleton on black, once a second for `seconds`.
    case preview(camera: String, seconds: Int)
    /// Use the model with this id.
    case setModel(String)
    /// Log at this level of swift-log for `seconds`.
    case setLogLevel(String, seconds: Int)
    /// Check the configuration again, and restart if it changed.
    case reload
    /// Restart the process.
    case restart
}

/// The command or switch that an outcome belongs to.
enum CommandTicket: Sendable, Equatable {
    /// The command with this id.
    case command(String)
    /// A camera's switch. `command` is the id of the command that requested it; `nil` for `enabled/set`.
    case cameraSwitch(String, command: String?)
}

/// The outcome of a command: data for the response, or an error.
public typealias CommandOutcome = Result<JSONValue, CommandError>

/// Carries out a command and calls `done` exactly once, when the effect is on disk. Called on the messaging thread, so
/// it must not block. At most 16 commands, and one switch request per camera, are under way at a time.
public typealias NodeCommandHandler =
    @Sendable (NodeCommand, _ done: @escaping @Sendable (CommandOutcome) -> Void) -> Void
