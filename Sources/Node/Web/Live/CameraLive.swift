import Contract
import History
import Messaging

/// What the page shows of one camera now. Times are milliseconds since 1970 on the node's clock.
package struct CameraLive: Encodable {
    var camera: String
    var name: String
    var enabled: Bool
    /// `starting`, `online`, `offline`, `ended` or `off`.
    var state: String
    var width: Int?
    var height: Int?
    var people: Int
    var label: String
    /// 0…1.
    var confidence: Double
    /// Since when ``label`` holds.
    var since: Int64?
    /// Frames per second that are processed, and that arrive.
    var fps, fpsIn: Double
    /// One frame in `stride` is processed.
    var stride: Int
    var dropped: Int
    var skipped: Int
    /// The time of the newest frame.
    var time: Int64?
    var persons: [Person]
    /// The workouts that go on in front of the camera.
    var workouts: [WorkoutState]
    var problems: [Problem]
    /// The people who lie on the floor and do not move, until somebody has acknowledged it.
    var alarms: [Alarm]
    var today: DayRow?
    /// Until when the operator is shown pictures; `nil` when none are.
    var picturesUntil: Int64?

    enum CodingKeys: String, CodingKey {
        case camera, name, enabled, state, width, height, people, label, confidence, since, fps, stride, dropped
        case skipped, time, persons, workouts, problems, alarms, today
        case fpsIn = "fps_in"
        case picturesUntil = "pictures_until"
    }

    /// One person in view.
    package struct Person: Encodable {
        var track: Int
        /// Whether this is the person who stands for the camera.
        var prominent: Bool
        var label: String
        var confidence: Double
        /// Frames per second in which the person is looked at; `nil` just after they appeared.
        var fps: Double?
        /// The zone of the picture that the person is in; `nil` outside all zones.
        var zone: String?
        /// The open set; `nil` between sets.
        var set: OpenSet?
        /// When the last set ended; `nil` while one is open or before the first.
        var restSince: Int64?
        /// The ended sets of the open session.
        var sets: [EndedSet]

        enum CodingKeys: String, CodingKey {
            case track, prominent, label, confidence, fps, zone, set, sets
            case restSince = "rest_since"
        }
    }

    /// A set that still grows.
    struct OpenSet: Encodable, Equatable {
        var number: Int
        var label: String
        var reps: Int
        var start: Int64
        /// The score, 0…100; `nil` when too little was seen.
        var form: Int?
        /// The probability that the set takes place as it is shown, 0…1.
        var confidence: Double?
    }

    /// A set that has ended.
    struct EndedSet: Encodable, Equatable {
        var number: Int
        var label: String
        var reps: Int
        var seconds: Double
        var form: Int?
    }
}

/// What the page shows of the node: `GET /api/v1/state` and the first event of the stream.
struct NodeLive: Encodable {
    struct Identity: Encodable {
        var id, name, site, version, timeZone: String

        enum CodingKeys: String, CodingKey {
            case id, name, site, version
            case timeZone = "time_zone"
        }
    }

    struct Model: Encodable {
        var name: String
        var labels, exercises: [String]
        /// The names of labels on screen.
        var names: [String: String]
    }

    var node: Identity
    var model: Model
    var role: WebRole
    /// Whether pictures may be shown: `never` or `aim`, as configured.
    var pictures: String
    var now: Int64
    var viewers: Int
    /// Open sessions of all cameras, which a restart ends.
    var openSessions: Int
    var cameras: [CameraLive]
    /// `true` where the history was made up; `nil` otherwise.
    var madeUp: Bool?

    enum CodingKeys: String, CodingKey {
        case node, model, role, pictures, now, viewers, cameras
        case madeUp = "made_up"
        case openSessions = "open_sessions"
    }
}
