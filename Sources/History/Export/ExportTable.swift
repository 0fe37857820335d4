/// The tables of an export, in the order in which they are written and read back: what others refer to comes first.
///
/// A row is flat, so that the same rows fit a spreadsheet, a line of JSON and this program's import.
public enum ExportTable: String, Sendable, CaseIterable, Codable {
    /// One row: which node's history it is, and when it was written.
    case about
    case sessions
    case sessionActions = "session_actions"
    case sessionExcluded = "session_excluded"
    case sets
    case days
    case dayActions = "day_actions"
    case dayExcluded = "day_excluded"
    case rollups
    case rollupActions = "rollup_actions"
    case predictions

    /// One column: its name in the export, and what stands in it.
    public struct Column: Sendable {
        public enum Kind: Sendable {
            case text, integer, number
            /// RFC 3339 in UTC in the export, milliseconds since 1970 in the database.
            case moment
        }

        public let name: String
        public let kind: Kind
        /// Whether a row may do without it.
        public let isOptional: Bool
        /// What is asked of the database for it.
        let source: String

        fileprivate static func text(_ name: String, from source: String? = nil, optional: Bool = false) -> Column {
            Column(name: name, kind: .text, isOptional: optional, source: source ?? name)
        }

        fileprivate static func integer(_ name: String, from source: String? = nil, optional: Bool = false) -> Column {
            Column(name: name, kind: .integer, isOptional: optional, source: source ?? name)
        }

        fileprivate static func number(_ name: String, from source: String? = nil) -> Column {
            Column(name: name, kind: .number, isOptional: false, source: source ?? name)
        }

        fileprivate static func moment(_ name: String) -> Column {
            Column(name: name, kind: .moment, isOptional: false, source: name + "_ms")
        }
    }

    public var columns: [Column] {
        switch self {
        case .about:
            [
                .text("format"), .integer("version"), .text("node"), .text("epoch"), .integer("seq"),
                .text("tz", optional: true), .moment("written"),
            ]
        case .sessions:
            [
                .text("id"), .text("camera"), .integer("track"), .moment("start"), .moment("end"),
                .text("end_reason", optional: true), .text("model"), .number("fps"), .integer("rev"),
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
                .integer("reps"), .integer("coaching_hint", from: "form", optional: true),
            ]
        case .days: [.text("day"), .text("camera"), .integer("sessions"), .integer("rev")]
        case .dayActions:
            [
                .text("day"), .text("camera"), .text("label"), .integer("frames"), .number("seconds"),
                .integer("reps", optional: true),
            ]
        case .dayExcluded: [.text("day"), .text("camera"), .text("reason"), .integer("frames")]
        case .rollups:
            [.text("id"), .text("camera"), .moment("start"), .text("model"), .number("fps"), .integer("rev")]
        case .rollupActions: [.text("rollup"), .text("label"), .integer("frames"), .number("seconds")]
        case .predictions:
            [
                .moment("end"), .text("camera", from: "(SELECT text FROM name WHERE id = camera)"), .integer("track"),
                .text("label", from: "(SELECT text FROM name WHERE id = label)"),
                .number("confidence", from: "confidence / 1000.0"), .integer("frames"),
            ]
        }
    }

    /// Where the rows stand in the database, and by what they are ordered; `nil` for what stands in no table.
    var place: (table: String, order: String)? {
        switch self {
        case .about: nil
        case .sessions: ("session", "start_ms, id")
        case .sessionActions: ("session_action", "session, position")
        case .sessionExcluded: ("session_excluded", "session, reason")
        case .sets: ("session_set", "session, number")
        case .days: ("day_camera", "day, camera")
        case .dayActions: ("day_action", "day, camera, label")
        case .dayExcluded: ("day_excluded", "day, camera, reason")
        case .rollups: ("rollup", "start_ms, camera")
        case .rollupActions: ("rollup_action", "rollup, label")
        case .predictions: ("prediction", "end_ms, camera, track")
        }
    }
}

/// One cell of an export.
public enum ExportValue: Sendable, Equatable {
    case none
    case text(String)
    case integer(Int64)
    case number(Double)
}

/// One row of an export: a value for each of the table's columns, in their order.
public struct ExportRow: Sendable, Equatable {
    public let table: ExportTable
    public let values: [ExportValue]

    /// - Precondition: as many values as the table has columns.
    public init(_ table: ExportTable, _ values: [ExportValue]) {
        precondition(values.count == table.columns.count, "a row has a value for each column")
        self.table = table
        self.values = values
    }

    /// The value of a column; `none` for one that the table does not have.
    public subscript(_ column: String) -> ExportValue {
        table.columns.firstIndex { $0.name == column }.map { values[$0] } ?? .none
    }
}
