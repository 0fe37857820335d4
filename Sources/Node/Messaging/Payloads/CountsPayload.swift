import Contract
import Foundation
import History
import Records

/// `cam/<camera>/counts`: a day's totals, as they are in the database.
struct CountsPayload: Codable, Equatable {
    var v = 1
    var day: String
    var tz: String
    var sessions: Int
    var frames: [String: Int]
    var seconds: [String: Double]
    var reps: [String: Int]
    var excludedFrames: [String: Int]
    var zones: [String: DayRow.ZoneUse]?
    var rev: Int

    init(_ row: DayRow, timeZone: TimeZone) {
        day = row.day
        tz = timeZone.identifier
        sessions = row.sessions
        frames = row.frames
        seconds = row.seconds
        reps = row.reps
        excludedFrames = row.excludedFrames
        zones = row.zones
        rev = row.rev
    }

    enum CodingKeys: String, CodingKey {
        case v, day, tz, sessions, frames, seconds, reps, zones, rev
        case excludedFrames = "excluded_frames"
    }
}

extension CountsPayload {
    /// The contract's schema of this payload.
    package static let schema = Schema.object([
        ("v", .contractVersion), ("day", .required(.text(pattern: #"^\d{4}-\d\d-\d\d$"#))),
        ("tz", .required(.words, "Whose midnights cut the days.")), ("sessions", .required(.count)),
        ("frames", .required(.map(.count))), ("seconds", .required(.map(.number(minimum: 0)))),
        ("reps", .required(.map(.integer()))), ("excluded_frames", .required(.map(.count))),
        (
            "zones",
            .optional(.map(DayRow.ZoneUse.schema), "The sets in each zone; absent while there are none.")
        ),
        ("rev", .required(.count)),
    ])
}
