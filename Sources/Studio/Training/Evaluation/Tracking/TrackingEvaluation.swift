/// How well people are found and kept apart in recordings whose people are known.
public struct TrackingEvaluation: Sendable, Equatable, Codable {
    /// The figures of one recording.
    public struct Clip: Sendable, Equatable, Codable {
        /// Its name.
        public var name: String
        /// Its figures.
        public var figures: TrackingFigures
        /// What was counted in it.
        public var counts: TrackingCounts
    }

    /// When a track is on a person, and which people count.
    public var settings: TrackingSettings
    /// The recordings in the order in which they were added.
    public var clips: [Clip] = []
    /// The figures of all recordings together, from the sums of their counts.
    public var total: TrackingFigures { TrackingFigures(sum) }
    /// What was counted in all recordings together.
    var sum: TrackingCounts { clips.reduce(TrackingCounts()) { $0 + $1.counts } }

    /// Starts without any recording.
    public init(settings: TrackingSettings = TrackingSettings()) { self.settings = settings }

    /// Compares the tracks of one recording with the truth about it.
    ///
    /// - Parameter sessions: the sets of each session that followed from the tracks; `nil` where they are not known.
    /// - Throws: ``IdentityStreamError/differentShapes(stream:truth:)`` when they cannot be about the same pictures.
    public mutating func add(
        _ name: String, tracks: IdentityStream, truth: IdentityStream, truthName: String = "the truth",
        sessions: [[RightMinutes.ReportedSet]]? = nil
    ) throws {
        guard abs(tracks.aspect / truth.aspect - 1) < 0.02 else {
            throw IdentityStreamError.differentShapes(stream: name, truth: truthName)
        }
        let counts = TrackingComparison.counts(
            of: tracks, truth: truth, sessions: truth.exercises.isEmpty ? nil : sessions, settings: settings)
        clips.append(Clip(name: name, figures: TrackingFigures(counts), counts: counts))
    }

    /// Writes the total beside the clips.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(settings, forKey: .settings)
        try container.encode(clips, forKey: .clips)
        try container.encode(total, forKey: .total)
    }

    /// Reads what ``encode(to:)`` wrote; the total is computed again.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        settings = try container.decode(TrackingSettings.self, forKey: .settings)
        clips = try container.decode([Clip].self, forKey: .clips)
    }

    private enum CodingKeys: String, CodingKey { case settings, clips, total }
}
