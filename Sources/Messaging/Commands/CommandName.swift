/// The commands of the contract, version 1: `cmd/<name>`.
public enum CommandName: String, Sendable, CaseIterable, Codable {
    case ping
    case info
    case health
    case sync
    case sessionEnd = "session_end"
    case sessionDelete = "session_delete"
    case cameraSet = "camera_set"
    case preview
    case modelSet = "model_set"
    case logLevel = "log_level"
    case configCheck = "config_check"
    case reload
    case restart

    /// What a node obeys over a connection whose broker does not know who speaks: what cannot harm.
    public static let harmless: Set<CommandName> = [.ping, .info, .health, .sync, .configCheck]

    /// What a node obeys unless it is configured otherwise, where the broker knows who speaks: nothing that destroys
    /// data or shows a picture.
    public static let usual: Set<CommandName> = [
        .ping, .info, .health, .sync, .sessionEnd, .cameraSet, .configCheck, .restart,
    ]

    /// Whether the answer has to outlive the process, since carrying the command out twice would be another thing.
    var isRememberedOnDisk: Bool {
        switch self {
        case .ping, .info, .health, .sync, .configCheck, .preview: false
        case .sessionEnd, .sessionDelete, .cameraSet, .modelSet, .logLevel, .reload, .restart: true
        }
    }
}

/// What the node itself has to do; everything else is answered from the history and the messaging thread.
public enum NodeCommand: Sendable, Equatable {
    case endSessions(camera: String)
    case setCamera(String, enabled: Bool)
    case checkConfiguration
    /// A skeleton on black, once a second for so long.
    case preview(camera: String, seconds: Int)
    case setModel(String)
    /// A level of swift-log, for so long.
    case setLogLevel(String, seconds: Int)
    case reload
    case restart
}

/// The command or switch that an outcome belongs to.
enum CommandTicket: Sendable, Equatable {
    /// A command's, by its id.
    case command(String)
    /// A camera's switch; `command` is the id of the command that wanted it.
    case cameraSwitch(String, command: String?)
}

/// What came of a command.
public typealias CommandOutcome = Result<JSONValue, CommandError>

/// Carries a command out and reports, exactly once, when its effect is on disk. Called on the messaging thread: must not
/// wait. At most 16 commands, and one switch of each camera, are under way at a time.
public typealias NodeCommandHandler =
    @Sendable (NodeCommand, _ done: @escaping @Sendable (CommandOutcome) -> Void) -> Void
