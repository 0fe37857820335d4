import Foundation
import Records

/// `cam/<camera>/state`: what happens in front of a camera.
public struct CameraState: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// A label of the model, or `starting`, `no_person`, `low_confidence`, `none`.
    public var action: String
    /// Confidence in the action, 0…1.
    public var confidence: Double
    /// The number of people in the picture.
    public var people: Int
    /// Whether anybody has an open session: exercises, or rests between sets. `nil` while no source is open.
    public var inUse: Bool?
    /// The id of the open session of the person whose action it is; `nil` without one.
    public var session: String?
    /// Since when that person's action has been the same.
    public var since: Date
    /// Repetitions of the action in the session; `nil` where they are not counted.
    public var reps: Int?
    /// What happens in each zone, by name; `nil` for a camera without zones.
    public var zones: [String: ZoneState]?
    /// When the state was observed.
    public var ts: Date

    /// What happens in one zone.
    public struct ZoneState: Sendable, Codable, Equatable {
        /// The number of people who stand there.
        public var people: Int
        /// Whether one of them has an open session: exercises, or rests between sets.
        public var inUse: Bool
        /// What they do; `nil` when nobody's action there is recognised.
        public var action: String?
        /// The number of people who wait beside it while it is in use.
        public var waiting: Int

        /// A state with these values.
        public init(people: Int = 0, inUse: Bool = false, action: String? = nil, waiting: Int = 0) {
            self.people = people
            self.waiting = waiting
            self.inUse = inUse
            self.action = action
        }

        enum CodingKeys: String, CodingKey {
            case people, action, waiting
            case inUse = "in_use"
        }
    }

    /// A state with the confidence rounded to three decimals.
    public init(
        action: String, confidence: Double, people: Int, inUse: Bool? = nil, session: String? = nil, since: Date,
        reps: Int? = nil, zones: [String: ZoneState]? = nil, ts: Date
    ) {
        self.action = action
        self.confidence = confidence.rounded(decimals: 3)
        self.people = people
        self.inUse = inUse
        self.session = session
        self.since = since
        self.reps = reps
        self.zones = zones
        self.ts = ts
    }

    enum CodingKeys: String, CodingKey {
        case v, action, confidence, people, session, since, reps, zones, ts
        case inUse = "in_use"
    }

    /// Whether more than the confidence or a time is different.
    func differs(from other: CameraState) -> Bool {
        var same = other
        same.confidence = confidence
        same.ts = ts
        same.since = since
        return same != self
    }
}

extension CameraState {
    /// The contract's schema of this payload.
    static let schema = Schema.object([
        ("v", .contractVersion),
        ("action", .required(.words, "A label, or starting, no_person, low_confidence, none: of one person.")),
        ("confidence", .required(.share)), ("people", .required(.count)),
        ("in_use", .optional(.flag, "Whether anybody has an open session; absent while no source is open.")),
        ("session", .optional(.uuid, "The open session of the person whose action it is.")),
        ("since", .required(.moment)), ("reps", .optional(.count, "Repetitions of the action in that session.")),
        (
            "zones",
            .optional(
                .map(
                    .object([
                        ("people", .required(.count)), ("in_use", .required(.flag, "Whether a session is open there.")),
                        ("action", .optional(.words)),
                        ("waiting", .required(.count, "People who wait beside it while it is in use.")),
                    ])), "By name; absent for a camera without zones.")
        ),
        ("ts", .required(.moment)),
    ])
}
