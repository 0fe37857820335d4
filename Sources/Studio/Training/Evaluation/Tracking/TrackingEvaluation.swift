import Actions

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

    /// The sessions that followed from the tracks of a recording.
    public struct Sessions {
        /// The sets of each session, as they were told when they ended, and after all revisions.
        let live, linked: [[RightMinutes.ReportedSet]]
        /// Everybody in each picture, under the number they had then after people were known again; `nil` where it is the same as
        /// the tracks'.
        let people: IdentityStream?
        /// The people who were known again.
        let links: [PersonLink]
        /// The comparisons by which they were.
        let comparisons: [LinkComparison]
        /// How long a session waits, seconds.
        let idleSeconds: Double

        /// Sessions from their parts.
        package init(
            live: [[RightMinutes.ReportedSet]], linked: [[RightMinutes.ReportedSet]], people: IdentityStream? = nil,
            links: [PersonLink] = [], comparisons: [LinkComparison] = [],
            idleSeconds: Double = RecognitionRules.Sessions().idleSeconds
        ) {
            (self.live, self.linked, self.people) = (live, linked, people)
            (self.links, self.comparisons, self.idleSeconds) = (links, comparisons, idleSeconds)
        }
    }

    /// Compares the tracks of one recording with the truth about it.
    ///
    /// - Parameters:
    ///   - name: the recording's name.
    ///   - tracks: those of the tracker, before people are known again.
    ///   - truth: who was where.
    ///   - truthName: the name of the truth, for errors.
    ///   - sessions: those that followed from the tracks; `nil` where they are not known.
    /// - Returns: the comparisons by which people were known again, with the truth about them.
    /// - Throws: ``IdentityStreamError/differentShapes(stream:truth:)`` when they cannot be about the same pictures.
    @discardableResult
    public mutating func add(
        _ name: String, tracks: IdentityStream, truth: IdentityStream, truthName: String = "the truth",
        sessions: Sessions? = nil
    ) throws -> [LinkSample] {
        guard abs(tracks.aspect / truth.aspect - 1) < 0.02 else {
            throw IdentityStreamError.differentShapes(stream: name, truth: truthName)
        }
        var (counts, owners) = TrackingComparison.counts(of: tracks, truth: truth, settings: settings)
        if let people = sessions?.people {
            owners = TrackingComparison.counts(of: people, truth: truth, settings: settings).owners
        }
        if let sessions, !truth.exercises.isEmpty {
            counts.liveMinutesOfExercise = RightMinutes(
                sessions.live, truth: truth, owners: owners, idleSeconds: sessions.idleSeconds,
                minimumVisible: settings.minimumVisible)
            counts.minutesOfExercise = RightMinutes(
                sessions.linked, truth: truth, owners: owners.map { $0.numbered(by: sessions.links) },
                idleSeconds: sessions.idleSeconds, minimumVisible: settings.minimumVisible)
        }
        clips.append(Clip(name: name, figures: TrackingFigures(counts), counts: counts))
        return LinkSample.all(sessions?.comparisons ?? [], of: name, owners: owners)
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
