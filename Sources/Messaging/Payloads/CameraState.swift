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
    /// The open session's id; `nil` without one.
    public var session: String?
    /// Since when the action has been the same.
    public var since: Date
    /// Repetitions of the action in the session; `nil` where they are not counted.
    public var reps: Int?
    /// When the state was observed.
    public var ts: Date

    /// A state with the confidence rounded to three decimals.
    public init(
        action: String, confidence: Double, people: Int, session: String? = nil, since: Date, reps: Int? = nil, ts: Date
    ) {
        self.action = action
        self.confidence = confidence.rounded(decimals: 3)
        self.people = people
        self.session = session
        self.since = since
        self.reps = reps
        self.ts = ts
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
        ("action", .required(.words, "A label, or starting, no_person, low_confidence, none.")),
        ("confidence", .required(.share)), ("people", .required(.count)), ("session", .optional(.uuid)),
        ("since", .required(.moment)), ("reps", .optional(.count)), ("ts", .required(.moment)),
    ])
}
