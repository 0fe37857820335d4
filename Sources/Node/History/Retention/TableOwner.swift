/// Who keeps a table small. Every table of the schema has one; `GrowthTests` fills each, and fails for a table without.
package struct TableOwner: Sendable {
    /// When rows leave because of their age.
    package enum Age: Sendable, Equatable {
        /// After some days, by this key of `[history]`.
        case days(key: String)
        /// After ten minutes at the latest.
        case minutes
        /// Together with the row of this table to which they belong.
        case with(String)
        /// When nothing refers to them any more.
        case unused
        /// Never.
        case never
    }

    /// What leaves when the file is nearly full.
    package enum Room: Sendable, Equatable {
        /// The oldest rows.
        case oldest
        /// The rows that belong to those of this table that leave.
        case with(String)
        /// Nothing: there is a fixed number of rows.
        case few
    }

    /// The table's name.
    package let table: String
    /// When its rows leave because of their age.
    package let age: Age
    /// What of it leaves when the file is nearly full.
    package let room: Room

    init(_ table: String, _ age: Age, _ room: Room) { (self.table, self.age, self.room) = (table, age, room) }

    /// The owners of all tables.
    package static let all: [TableOwner] = [
        TableOwner("meta", .never, .few),
        TableOwner("session", .days(key: "session_days"), .oldest),
        TableOwner("session_action", .with("session"), .with("session")),
        TableOwner("session_excluded", .with("session"), .with("session")),
        TableOwner("session_set", .with("session"), .with("session")),
        TableOwner("set_correction", .with("session"), .with("session")),
        TableOwner("kept_pose", .days(key: "keep_poses"), .oldest),
        TableOwner("day_camera", .never, .oldest),
        TableOwner("day_action", .never, .with("day_camera")),
        TableOwner("day_excluded", .never, .with("day_camera")),
        TableOwner("day_zone", .never, .with("day_camera")),
        TableOwner("occupancy", .never, .with("day_camera")),
        TableOwner("occupancy_zone", .never, .with("day_camera")),
        TableOwner("camera_absence", .days(key: "session_days"), .oldest),
        TableOwner("alarm", .days(key: "session_days"), .oldest),
        TableOwner("rollup", .days(key: "record_days"), .oldest),
        TableOwner("rollup_action", .with("rollup"), .with("rollup")),
        TableOwner("name", .unused, .with("prediction")),
        TableOwner("prediction", .days(key: "prediction_days"), .oldest),
        TableOwner("record", .days(key: "record_days"), .oldest),
        TableOwner("cursor", .days(key: "record_days"), .few),
        TableOwner("cmd_seen", .minutes, .oldest),
        TableOwner("clock_stretch", .unused, .with("session")),
        TableOwner("workout", .days(key: "session_days"), .oldest),
        TableOwner("workout_step", .with("workout"), .with("workout")),
        TableOwner("question", .days(key: "session_days"), .oldest),
        TableOwner("question_pool", .with("question"), .with("question")),
        TableOwner("member_code", .never, .few),
        TableOwner("workout_rep", .with("workout"), .with("workout")),
        TableOwner("delivery", .days(key: "record_days"), .oldest),
        TableOwner("standing_problem", .days(key: "record_days"), .few),
    ]
}
