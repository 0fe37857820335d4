/// When a track is on a person, and which people count.
public struct TrackingSettings: Sendable, Equatable, Codable {
    /// The largest mean distance of the joints that both have, in body sizes, at which a track is on a person.
    ///
    /// The body's size is the longer side of the box around the person's true joints.
    public var maximumDistance = 0.35
    /// The largest distance of the middles of two bodies, in body sizes, at which a track is on a person who was labelled
    /// by hand.
    ///
    /// The body's size is the longer side of the person's box, or of the track's where the person is a point.
    public var maximumOutlineDistance = 0.5
    /// The share of a body that must be visible for the person to count, 0…1.
    public var minimumVisible = 0.4
    /// Seconds for which a person may be out of sight and is still the same person afterwards.
    public var memorySeconds = 10.0

    /// The usual settings.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case maximumDistance = "maximum_distance"
        case maximumOutlineDistance = "maximum_outline_distance"
        case minimumVisible = "minimum_visible"
        case memorySeconds = "memory_seconds"
    }
}
