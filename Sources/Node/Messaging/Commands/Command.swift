import Foundation
import History
import Records

/// A command with its checked arguments, by who carries it out.
public enum Command: Sendable, Equatable {
    /// The session with the broker answers.
    case session(SessionCommand)
    /// The node carries it out.
    case agent(AgentCommand)
}

/// What needs only the history and the connection.
public enum SessionCommand: Sendable, Equatable {
    /// Answer that the node is reachable.
    case ping
    /// Answer with the birth document.
    case info
    /// Answer with the newest heartbeat.
    case health
    /// Send the records from one position to another again; `to` is `nil` for the newest.
    case sync(epoch: String, from: Int64, to: Int64?)
    /// Delete the session with this id.
    case deleteSession(String)
    /// Correct the set with this number of the session with this id.
    case correctSet(Int, session: String, SetChange)
}

/// What the node carries out.
public enum AgentCommand: Sendable, Equatable {
    /// About the node and its cameras.
    case node(NodeCommand)
    /// About workouts and the people who do them.
    case workout(WorkoutCommand)
}

/// What the node does with itself and its cameras.
public enum NodeCommand: Sendable, Equatable {
    /// End the open sessions of one camera.
    case endSessions(camera: String)
    /// Switch one camera on or off.
    case setCamera(String, enabled: Bool)
    /// Acknowledge the open alarm with this id; `nil` for all.
    case acknowledgeAlarm(String?)
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

/// What happens to workouts and to the names in them.
public enum WorkoutCommand: Sendable, Equatable {
    /// Start a workout: the plan's id, the camera (`nil` for the only one), the name that was typed, and what public places
    /// show in its place.
    case start(plan: String, camera: String?, name: String?, nickname: String? = nil)
    /// Stop the workout with this id or in front of this camera; `nil` for the only one.
    case stop(String?)
    /// Go on with the next step of the workout with this id or in front of this camera; `nil` for the only one.
    case skip(String?)
    /// State the pain, 0…10, after the last step of the workout with this id or in front of this camera; `nil` for the
    /// only one.
    case answerPain(String?, pain: Int)
    /// Delete a name, as it was typed, from all workouts.
    case deleteName(String)
}

extension Command {
    /// The most bytes of a text that may be a name. The start of a workout asks the rule of names; what an earlier
    /// version accepted can still be deleted.
    private static let maximumNameBytes = 4096

    /// Reads the arguments of a command.
    ///
    /// - Parameter cameras: the ids of the node's cameras.
    /// - Throws: ``CommandError`` for missing or wrong arguments.
    init(_ name: CommandName, _ arguments: CommandArguments, cameras: [String]) throws(CommandError) {
        func camera() throws(CommandError) -> String {
            let id = try arguments.text("camera")
            guard cameras.contains(id) else {
                throw CommandError(.unknownCamera, "no camera '\(id)'; known: \(cameras.joined(separator: ", "))")
            }
            return id
        }
        self =
            switch name {
            case .ping: .session(.ping)
            case .info: .session(.info)
            case .health: .session(.health)
            case .sync:
                .session(
                    .sync(
                        epoch: try arguments.text("epoch"), from: try arguments.number("from_seq", 1...Int64.max),
                        to: try arguments.optionalNumber("to_seq", 1...Int64.max)))
            case .sessionDelete: .session(.deleteSession(try arguments.text("id")))
            case .setCorrect: .session(try .correction(arguments))
            case .sessionEnd: .agent(.node(.endSessions(camera: try camera())))
            case .cameraSet: .agent(.node(.setCamera(try camera(), enabled: try arguments.flag("enabled"))))
            case .alarmAcknowledge: .agent(.node(.acknowledgeAlarm(try arguments.optionalText("alarm"))))
            case .configCheck: .agent(.node(.checkConfiguration))
            case .reload: .agent(.node(.reload))
            case .restart: .agent(.node(.restart))
            case .modelSet: .agent(.node(.setModel(try arguments.text("id"))))
            case .preview: .agent(.node(try .preview(arguments, camera: camera())))
            case .logLevel: .agent(.node(try .logLevel(arguments)))
            case .workoutStart:
                .agent(
                    .workout(
                        .start(
                            plan: try arguments.text("plan"),
                            camera: try arguments.optionalText("camera") == nil ? nil : camera(),
                            name: try arguments.optionalText("name", atMost: Command.maximumNameBytes),
                            nickname: try arguments.optionalText("nickname", atMost: Command.maximumNameBytes))))
            case .workoutStop: .agent(.workout(.stop(try arguments.optionalText("workout"))))
            case .workoutSkip: .agent(.workout(.skip(try arguments.optionalText("workout"))))
            case .workoutPain: .agent(.workout(try .pain(arguments)))
            case .nameDelete:
                .agent(.workout(.deleteName(try arguments.text("name", atMost: Command.maximumNameBytes))))
            }
    }
}

extension SessionCommand {
    fileprivate static func correction(_ arguments: CommandArguments) throws(CommandError) -> SessionCommand {
        let session = try arguments.text("session")
        let number = Int(try arguments.number("set", 1...Int64(Int32.max)))
        let label = try arguments.optionalText("label")
        let reps = try arguments.optionalNumber("reps", 0...Int64(Int32.max)).map(Int.init)
        let load = try arguments.optionalDecimal("load_kg")
        let rpe = try arguments.optionalDecimal("rpe")
        let isUndo = try arguments.optionalFlag("undo") ?? false
        let isEmpty = label == nil && reps == nil && load == nil && rpe == nil
        guard isEmpty == isUndo else {
            throw CommandError(
                .invalidArguments, "give label, reps, load_kg or rpe of the set, or undo alone to take them back")
        }
        return .correctSet(
            number, session: session, isUndo ? .undo : .to(label: label, reps: reps, loadKg: load, rpe: rpe))
    }
}

extension NodeCommand {
    fileprivate static func preview(
        _ arguments: CommandArguments, camera: String
    ) throws(CommandError) -> NodeCommand {
        .preview(camera: camera, seconds: Int(try arguments.number("seconds", 1...300, default: 10)))
    }

    fileprivate static func logLevel(_ arguments: CommandArguments) throws(CommandError) -> NodeCommand {
        .setLogLevel(
            try arguments.choice("level", LogPayload.levels),
            seconds: Int(try arguments.number("for_s", 1...86_400, default: 600)))
    }
}

extension WorkoutCommand {
    fileprivate static func pain(_ arguments: CommandArguments) throws(CommandError) -> WorkoutCommand {
        .answerPain(try arguments.optionalText("workout"), pain: Int(try arguments.number("pain", 0...10)))
    }
}

extension Command {
    /// Reads a command that a program of this machine sent.
    ///
    /// - Parameters:
    ///   - word: its name in the contract.
    ///   - arguments: a JSON object.
    ///   - cameras: the ids of the node's cameras.
    /// - Throws: ``CommandError``.
    package init(named word: String, arguments: JSONValue, cameras: [String]) throws(CommandError) {
        guard let name = CommandName(rawValue: word) else { throw CommandError(.badRequest, "no command '\(word)'") }
        guard let arguments = arguments.object else { throw CommandError(.badRequest, "args must be a JSON object") }
        try self.init(name, CommandArguments(arguments), cameras: cameras)
    }
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
public typealias CommandHandler =
    @Sendable (AgentCommand, _ done: @escaping @Sendable (CommandOutcome) -> Void) -> Void
