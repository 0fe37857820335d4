import Foundation
import Records
import Workouts

/// `cam/<camera>/event`: an event for automations. It is never retained.
public struct CameraEvent: Sendable, Codable, Equatable {
    /// What happened.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case sessionStarted = "session_started"
        case sessionEnded = "session_ended"
        case sessionMerged = "session_merged"
        case sessionSplit = "session_split"
        case actionChanged = "action_changed"
        case setCompleted = "set_completed"
        case workoutStarted = "workout_started"
        case stepStarted = "step_started"
        case repetition
        case noRep = "no_rep"
        case cue
        case stepCompleted = "step_completed"
        case workoutEnded = "workout_ended"
        case cameraLost = "camera_lost"
        case cameraRecovered = "camera_recovered"
        case personDown = "person_down"
        case personUp = "person_up"
        case alarmAcknowledged = "alarm_acknowledged"
    }

    /// The contract's version.
    public var v = 1
    /// What happened.
    public var eventType: Kind
    /// The event's id, a UUIDv7.
    public var id: String
    /// The session's id, for events of a session.
    public var session: String?
    /// The camera's id.
    public var camera: String
    /// When it happened.
    public var ts: Date
    /// The label of a started session's first action, of a set, of a workout's step, or of the new action.
    public var action: String?
    /// The label with the most frames of an ended session.
    public var topAction: String?
    /// The length of the session, set, step or workout, or how long somebody has lain there, seconds.
    public var seconds: Double?
    /// The repetitions counted in the set, step or workout.
    public var reps: Int?
    /// The repetitions of the step so far that do not count; `nil` for other events, and without a standard.
    public var noReps: Int?
    /// Of a merged session: the id of the session that is part of it now.
    public var absorbed: String?
    /// The alarm's id, for somebody who lies on the floor.
    public var alarm: String?
    /// Why a session or workout ended, a camera was lost, or somebody lies on the floor.
    public var reason: String?
    /// The zone of a session or set; `nil` outside all zones.
    public var zone: String?
    /// The workout's id, for events of a workout.
    public var workout: String?
    /// The plan of the workout, by the name that people see.
    public var plan: String?
    /// What everybody sees in the place of the name that a person typed for the workout; `nil` for nothing.
    public var nickname: String?
    /// The step of the workout, from 1, and the number of its steps.
    public var step, steps: Int?
    /// Of a cue: `fault`, `praise` or `stop`; of a no-rep: `no_rep`.
    public var kind: String?
    /// Of a cue: the sentence.
    public var text: String?
    /// Of a cue: the name of what was measured, and its unit.
    public var measure, unit: String?
    /// Of a cue: what was measured, its standard error, and the limit, all in ``unit``.
    public var value, uncertainty, limit: Double?

    /// An event with a new id.
    public init(
        _ kind: Kind, camera: String, ts: Date, session: String? = nil, action: String? = nil, topAction: String? = nil,
        seconds: Double? = nil, reps: Int? = nil, reason: String? = nil, zone: String? = nil
    ) {
        eventType = kind
        id = UUIDv7.string(at: ts)
        self.session = session
        self.camera = camera
        self.ts = ts
        self.action = action
        self.topAction = topAction
        self.seconds = seconds?.rounded(decimals: 3)
        self.reps = reps
        self.reason = reason
        self.zone = zone
    }

    enum CodingKeys: String, CodingKey {
        case v, id, session, camera, ts, action, seconds, reps, reason, zone, absorbed, alarm
        case workout, plan, nickname, step, steps, kind, text, measure, unit, value, uncertainty, limit
        case eventType = "event_type"
        case topAction = "top_action"
        case noReps = "no_reps"
    }
}

extension CameraEvent {
    /// The contract's schema of this payload.
    static let schema = Schema.object([
        ("v", .contractVersion), ("event_type", .required(.text(words: CameraEvent.Kind.allCases.map(\.rawValue)))),
        ("id", .required(.uuid)), ("session", .optional(.uuid)), ("camera", .required(.id)),
        ("ts", .required(.moment)), ("action", .optional(.words)), ("top_action", .optional(.words)),
        ("seconds", .optional(.number(minimum: 0))), ("reps", .optional(.count)),
        ("no_reps", .optional(.count, "Repetitions that do not count; absent where every one counts.")),
        ("reason", .optional(.words)),
        ("zone", .optional(.id, "Where most of the session or set took place.")),
        ("absorbed", .optional(.uuid, "The session that is part of this one now, and no more its own.")),
        ("alarm", .optional(.uuid, "Of somebody who lies on the floor.")),
        ("workout", .optional(.uuid)), ("plan", .optional(.words)),
        ("nickname", .optional(.words, "What a person chose to be seen by. Names are not published here.")),
        ("step", .optional(.integer(minimum: 1))), ("steps", .optional(.integer(minimum: 1))),
        ("kind", .optional(.text(words: Cue.Kind.allCases.map(\.rawValue)), "Of a cue.")),
        ("text", .optional(.words, "Of a cue: the sentence.")), ("measure", .optional(.words, "Of a cue.")),
        ("unit", .optional(.words)), ("value", .optional(.number(), "What was measured, in the unit.")),
        ("uncertainty", .optional(.number(minimum: 0), "The standard error of the value.")),
        ("limit", .optional(.number(), "From where, or up to where, the value is right.")),
    ])
}
