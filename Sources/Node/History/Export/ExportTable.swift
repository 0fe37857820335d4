import Contract

/// The tables of an export, in the order in which they are written and read. A table comes after those it refers to.
///
/// Rows are flat, so that the same rows work in a spreadsheet, as lines of JSON and for this program's import.
public enum ExportTable: String, Sendable, CaseIterable, Codable {
    /// One row: the node whose history it is, and when the export was written.
    case about
    case sessions
    case sessionActions = "session_actions"
    case sessionExcluded = "session_excluded"
    case sets
    case corrections
    case days
    case dayActions = "day_actions"
    case dayExcluded = "day_excluded"
    case dayZones = "day_zones"
    case rollups
    case rollupActions = "rollup_actions"
    case workouts
    case workoutSteps = "workout_steps"
    case absences
    case alarms
    case occupancy
    case occupancyZones = "occupancy_zones"
    case predictions
    /// What the node asked, with the joints in hexadecimal digits and the answers.
    case questions
    case questionPools = "question_pools"

    /// One column: its name in the export and its type.
    public struct Column: Sendable {
        /// The type of a column's values.
        public enum Kind: Sendable {
            case text, integer, number
            /// A moment: RFC 3339 in UTC in the export, milliseconds since 1970 in the database.
            case moment
        }

        /// The column's name in the export.
        public let name: String
        /// The type of its values.
        public let kind: Kind
        /// Whether the value may be absent.
        public let isOptional: Bool
        /// The SQL expression that reads it from the database.
        let source: String
        /// The largest number that an import takes; `nil` for that of most columns.
        var largest: Double?

        fileprivate static func text(_ name: String, from source: String? = nil, optional: Bool = false) -> Column {
            Column(name: name, kind: .text, isOptional: optional, source: source ?? name)
        }

        fileprivate static func integer(_ name: String, from source: String? = nil, optional: Bool = false) -> Column {
            Column(name: name, kind: .integer, isOptional: optional, source: source ?? name)
        }

        fileprivate static func number(
            _ name: String, from source: String? = nil, optional: Bool = false, to largest: Double? = nil
        ) -> Column {
            Column(name: name, kind: .number, isOptional: optional, source: source ?? name, largest: largest)
        }

        fileprivate static func moment(_ name: String, optional: Bool = false) -> Column {
            Column(name: name, kind: .moment, isOptional: optional, source: name + "_ms")
        }
    }

    /// The table's columns, in order.
    public var columns: [Column] { Self.columnsByTable[self] ?? [] }

    private static let columnsByTable = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.listedColumns) })

    private var listedColumns: [Column] {
        switch self {
        case .about:
            [
                .text("format"), .integer("version"), .text("node"), .text("epoch"), .integer("seq"),
                .text("tz", optional: true), .moment("written"), .integer("made_up", optional: true),
                // How many rows follow. Exports of 1.0.0 do not say.
                .integer("rows", optional: true),
            ]
        case .sessions:
            [
                .text("id"), .text("camera"), .integer("track"), .moment("start"), .moment("end"),
                .text("end_reason", optional: true), .text("model"), .number("fps"), .integer("rev"),
                .text("zone", optional: true),
            ]
        case .sessionActions:
            [
                .text("session"), .text("label"), .integer("position"), .integer("frames"), .number("seconds"),
                .integer("reps", optional: true), .number("conf_mean"),
            ]
        case .sessionExcluded: [.text("session"), .text("reason"), .integer("frames")]
        case .sets:
            [
                .text("session"), .integer("number"), .text("label"), .moment("start"), .moment("end"),
                .integer("reps"), .integer("score", from: "form", optional: true),
                .text("zone", optional: true), .number("confidence", optional: true, to: 1),
                .integer("reps_margin", optional: true), .integer("left_reps", optional: true),
                .integer("right_reps", optional: true),
            ]
        case .corrections:
            [
                .text("session"), .integer("number"), .text("label"), .integer("reps"), .moment("made"),
                .number("load_kg", optional: true, to: SetBody.maximumLoadKg),
                .number("rpe", optional: true, to: SetBody.efforts.upperBound),
            ]
        case .days: [.text("day"), .text("camera"), .integer("sessions"), .integer("rev")]
        case .dayActions:
            [
                .text("day"), .text("camera"), .text("label"), .integer("frames"), .number("seconds"),
                .integer("reps", optional: true),
            ]
        case .dayExcluded: [.text("day"), .text("camera"), .text("reason"), .integer("frames")]
        case .dayZones:
            [
                .text("day"), .text("camera"), .text("zone"), .integer("sets"), .integer("reps"), .number("seconds"),
            ]
        case .rollups:
            [.text("id"), .text("camera"), .moment("start"), .text("model"), .number("fps"), .integer("rev")]
        case .rollupActions: [.text("rollup"), .text("label"), .integer("frames"), .number("seconds")]
        case .workouts:
            [
                .text("id"), .text("camera"), .text("name", optional: true), .text("plan"), .moment("start"),
                .moment("end"), .text("end_reason", optional: true), .integer("step"), .text("phase"), .integer("rev"),
                .text("nickname", optional: true),
            ]
        case .workoutSteps:
            [
                .text("workout"), .integer("number"), .text("action"), .moment("start", optional: true),
                .moment("end", optional: true), .integer("reps"), .number("seconds"),
                .number("rest_before_s", from: "rest_before_seconds", optional: true),
                .integer("score", from: "form", optional: true), .integer("skipped"), .text("measured"),
                .text("cues"), .integer("pain", optional: true),
            ]
        case .absences:
            [
                .text("id"), .text("camera"), .moment("start"), .moment("end", optional: true), .text("reason"),
                .integer("rev"),
            ]
        case .alarms:
            [
                .text("id"), .text("camera"), .text("zone", optional: true), .text("cause"), .moment("since"),
                .moment("start"), .moment("ended", optional: true), .moment("acknowledged", optional: true),
            ]
        case .occupancy:
            [
                .moment("start"), .text("camera"), .number("watched_seconds"), .number("person_seconds"),
                .integer("most"), .integer("most_of_all"),
            ]
        case .occupancyZones:
            [
                .moment("start"), .text("camera"), .text("zone"), .number("person_seconds"),
                .number("waiting_seconds"), .integer("most"),
            ]
        case .predictions:
            [
                .moment("end"), .text("camera", from: "(SELECT text FROM name WHERE id = camera)"), .integer("track"),
                .text("label", from: "(SELECT text FROM name WHERE id = label)"),
                .number("confidence", from: "confidence / 1000.0"), .integer("frames"),
            ]
        case .questions:
            [
                .text("kind"), .text("sample"), .text("reason"), .number("weight"), .text("week"), .text("camera"),
                .moment("start"), .moment("end"), .text("session", optional: true), .integer("number", optional: true),
                .text("shown", optional: true), .integer("reps", optional: true), .text("likely"), .text("model"),
                .text("answer", optional: true), .integer("answer_reps", optional: true),
                .moment("answered", optional: true), .text("poses", from: "ifnull(hex(poses), '')"),
            ]
        case .questionPools:
            [.text("week"), .text("kind"), .text("camera"), .integer("seen"), .number("seconds")]
        }
    }

    /// The database table and the order of its rows; `nil` for a table that exists only in the export.
    var place: (table: String, order: String)? {
        switch self {
        case .about: nil
        case .sessions: ("session", "start_ms, id")
        case .sessionActions: ("session_action", "session, position")
        case .sessionExcluded: ("session_excluded", "session, reason")
        case .sets: ("session_set", "session, number")
        case .corrections: ("set_correction", "session, number")
        case .days: ("day_camera", "day, camera")
        case .dayActions: ("day_action", "day, camera, label")
        case .dayExcluded: ("day_excluded", "day, camera, reason")
        case .dayZones: ("day_zone", "day, camera, zone")
        case .rollups: ("rollup", "start_ms, camera")
        case .rollupActions: ("rollup_action", "rollup, label")
        case .workouts: ("workout", "start_ms, id")
        case .workoutSteps: ("workout_step", "workout, number")
        case .absences: ("camera_absence", "start_ms, id")
        case .alarms: ("alarm", "start_ms, id")
        case .occupancy: ("occupancy", "start_ms, camera")
        case .occupancyZones: ("occupancy_zone", "start_ms, camera, zone")
        case .predictions: ("prediction", "end_ms, camera, track")
        case .questions: ("question", "id")
        case .questionPools: ("question_pool", "week, kind, camera")
        }
    }
}

/// One value of an export.
public enum ExportValue: Sendable, Equatable {
    case none
    case text(String)
    case integer(Int64)
    case number(Double)
}

/// One row of an export: one value for each of the table's columns, in order.
public struct ExportRow: Sendable, Equatable {
    /// The table of the row.
    public let table: ExportTable
    /// The values, in the order of the table's columns.
    public let values: [ExportValue]

    /// A row of `table` with these values.
    ///
    /// - Precondition: there are as many values as columns.
    public init(_ table: ExportTable, _ values: [ExportValue]) {
        precondition(values.count == table.columns.count, "a row has a value for each column")
        self.table = table
        self.values = values
    }

    /// The value of a column; `none` when the table has no such column.
    public subscript(_ column: String) -> ExportValue {
        table.columns.firstIndex { $0.name == column }.map { values[$0] } ?? .none
    }
}
