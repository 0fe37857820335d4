/// The commands of the contract, version 1. A raw value is the last level of the topic `cmd/<name>`.
public enum CommandName: String, Sendable, CaseIterable, Codable {
    case ping
    case info
    case health
    case sync
    case sessionEnd = "session_end"
    case sessionDelete = "session_delete"
    case setCorrect = "set_correct"
    case cameraSet = "camera_set"
    case workoutStart = "workout_start"
    case workoutStop = "workout_stop"
    case workoutSkip = "workout_skip"
    case workoutPain = "workout_pain"
    case nameDelete = "name_delete"
    case alarmAcknowledge = "alarm_acknowledge"
    case preview
    case modelSet = "model_set"
    case logLevel = "log_level"
    case configCheck = "config_check"
    case reload
    case restart

    /// The commands a node obeys when the broker does not authenticate its clients: those that cannot do harm.
    public static let harmless: Set<CommandName> = [.ping, .info, .health, .sync, .configCheck]

    /// The commands a node obeys by default when the broker authenticates its clients. None of them destroys data or
    /// shows a picture.
    public static let usual: Set<CommandName> = [
        .ping, .info, .health, .sync, .sessionEnd, .cameraSet, .configCheck, .restart,
        .workoutStart, .workoutStop, .workoutSkip, .workoutPain, .alarmAcknowledge,
    ]

    /// Whether the response is stored on disk, because repeating the command would change something a second time.
    package var isRememberedOnDisk: Bool {
        switch self {
        case .ping, .info, .health, .sync, .configCheck, .preview: false
        case .sessionEnd, .sessionDelete, .setCorrect, .cameraSet, .modelSet, .logLevel, .reload, .restart,
            .workoutStart, .workoutStop, .workoutSkip, .workoutPain, .nameDelete, .alarmAcknowledge:
            true
        }
    }
}
