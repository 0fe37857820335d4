import Actions
import Foundation
import GRDB
import Records

/// One set in the `body` of a session record and in `spotter history sessions --json`.
public struct SetBody: Sendable, Codable, Equatable {
    /// The set's number, by which it is corrected. It counts the person's sets from 1.
    public var number: Int
    /// The exercise's label.
    public var label: String
    /// When the set began: RFC 3339, UTC.
    public var start: String
    /// When the set ended: RFC 3339, UTC.
    public var end: String
    /// The repetitions.
    public var reps: Int
    /// Seconds since the end of the session's previous set; `nil` for the first.
    public var restSeconds: Double?
    /// A coaching hint, 0…100; `nil` when too little was seen, or when it was another exercise.
    public var form: Int?
    /// The zone in which most of the set took place; `nil` outside all zones.
    public var zone: String?
    /// What was recognised where a person corrected the set; `nil` for other sets.
    public var corrected: Recognised?

    /// The label and the count before a correction.
    public struct Recognised: Sendable, Codable, Equatable {
        /// The label that was recognised.
        public var label: String
        /// The repetitions that were counted.
        public var reps: Int
    }

    enum CodingKeys: String, CodingKey {
        case number, label, start, end, reps, zone, corrected
        case form = "coaching_hint"
        case restSeconds = "rest_s"
    }
}

extension SetBody {
    /// The sets of a session, each with the rest before it and its correction; `nil` if there are none.
    static func list(_ sets: [SessionSet], _ corrections: [Int: SetCorrection] = [:]) -> [SetBody]? {
        var before: Date?
        let bodies = sets.map { set in
            defer { before = set.end }
            return SetBody(set, after: before, correction: corrections[set.number])
        }
        return bodies.isEmpty ? nil : bodies
    }

    /// - Parameters:
    ///   - before: when the session's previous set ended; `nil` for the first set.
    ///   - correction: what the set really was; `nil` for what was recognised.
    init(_ set: SessionSet, after before: Date?, correction: SetCorrection? = nil) {
        let isOther = correction.map { $0.label != set.label } ?? false
        self.init(
            number: set.number, label: correction?.label ?? set.label, start: Timestamp.text(set.start),
            end: Timestamp.text(set.end), reps: correction?.reps ?? set.reps,
            restSeconds: before.map { max(0, set.start.timeIntervalSince($0)).rounded(decimals: 1) },
            form: isOther ? nil : set.form,
            zone: set.zone,
            corrected: correction.map { _ in Recognised(label: set.label, reps: set.reps) })
    }
}

extension SessionSet {
    /// Reads a row of `session_set`.
    init(_ row: Row) {
        self.init(
            number: row.integer("number"), label: row.text("label"),
            start: Timestamp.date(milliseconds: row.moment("start_ms")),
            end: Timestamp.date(milliseconds: row.moment("end_ms")), reps: row.integer("reps"),
            form: row.optionalInteger("form"), zone: row.optionalText("zone"))
    }
}

extension SetBody {
    /// The contract's schema of this body.
    package static let schema = Schema.object([
        ("number", .optional(.count, "Counts the person's sets; absent in records of earlier versions.")),
        ("label", .required(.words)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("reps", .required(.count)),
        ("rest_s", .optional(.number(minimum: 0), "Since the session's previous set; absent for its first.")),
        ("coaching_hint", .optional(.integer(minimum: 0, maximum: 100), "No assessment of safety.")),
        ("zone", .optional(.id, "Where most of it took place; absent outside all zones.")),
        (
            "corrected",
            .optional(
                .object([("label", .required(.words)), ("reps", .required(.count))]),
                "What was recognised, where a person corrected the set.")
        ),
    ])
}
