import Poses

/// Finds people who wait for a place: they stand beside a zone that somebody else uses, and do not exercise. Who has just
/// exercised there shares the place and rests.
package struct WaitingWatch {
    /// What is known of a person besides the picture.
    package struct Activity {
        /// The end of the last exercise of the open session, in seconds on the source's clock; `nil` without a session.
        let lastExercise: Double?
        /// The zone the person is in, also while they are hidden.
        let zone: String?

        /// An activity of these values.
        package init(lastExercise: Double?, zone: String?) { (self.lastExercise, self.zone) = (lastExercise, zone) }
    }

    private struct Stay {
        let zone: String
        var since: Double
        var seen: Double
    }

    private let zones: [Zone]
    private let rules: RecognitionRules.Waiting
    private var stays: [Int: Stay] = [:]
    /// When each track last exercised in which zone.
    private var uses: [Int: (zone: String, at: Double)] = [:]

    /// Nobody waits yet.
    ///
    /// - Parameter zones: in the order of precedence where they overlap.
    package init(_ zones: [Zone], rules: RecognitionRules.Waiting = RecognitionRules.Waiting()) {
        (self.zones, self.rules) = (zones, rules)
    }

    /// Whether anybody can wait.
    package var isNeeded: Bool { rules.distance > 0 && !zones.isEmpty }

    /// How many people wait for each zone; zones for which nobody waits are left out.
    ///
    /// - Parameters:
    ///   - frame: the frame, with the zone of each track.
    ///   - activities: by track: everybody of whom more is known than that they are in view.
    package mutating func look(at frame: TrackedFrame, _ activities: [Int: Activity]) -> [String: Int] {
        guard isNeeded else { return [:] }
        var users: [String: Set<Int>] = [:]
        for (track, activity) in activities where activity.lastExercise != nil {
            guard let zone = activity.zone else { continue }
            users[zone, default: []].insert(track)
            uses[track] = (zone, frame.time)
        }
        uses = uses.filter { abs(frame.time - $0.value.at) < rules.sharingSeconds }
        stays = stays.filter { abs(frame.time - $0.value.seen) < rules.absenceSeconds }
        var waiting: [String: Int] = [:]
        for track in frame.tracks {
            guard track.zone == nil, let zone = nearest(to: track, in: frame, users) else {
                stays[track.id] = nil
                continue
            }
            var stay = stays[track.id] ?? Stay(zone: zone, since: frame.time, seen: frame.time)
            if stay.zone != zone || stay.since > frame.time {
                stay = Stay(zone: zone, since: frame.time, seen: frame.time)
            }
            stay.since = max(stay.since, activities[track.id]?.lastExercise ?? -.infinity)
            stay.seen = frame.time
            stays[track.id] = stay
            if frame.time - stay.since >= rules.seconds { waiting[zone, default: 0] += 1 }
        }
        return waiting
    }

    /// Goes on under the number that the person had before.
    package mutating func rename(_ track: Int, to earlier: Int) {
        if var stay = stays.removeValue(forKey: track) {
            if let before = stays[earlier], before.zone == stay.zone { stay.since = min(stay.since, before.since) }
            stays[earlier] = stay
        }
        if let use = uses.removeValue(forKey: track) { uses[earlier] = use }
    }

    /// The nearest zone within reach that somebody else uses.
    private func nearest(to track: Track, in frame: TrackedFrame, _ users: [String: Set<Int>]) -> String? {
        let size = SIMD2(Float(frame.widthPixels), Float(frame.heightPixels))
        guard !users.isEmpty, let feet = track.pose.feet, let height = track.pose.heightShare else { return nil }
        let reach = Float(rules.distance) * height * size.y
        let near = zones.compactMap { zone -> (name: String, distance: Float)? in
            guard let own = users[zone.name], own.contains(where: { $0 != track.id }),
                uses[track.id]?.zone != zone.name
            else { return nil }
            let distance = zone.area.distance(from: feet, scale: size)
            return distance <= reach ? (zone.name, distance) : nil
        }
        return near.min { $0.distance < $1.distance }?.name
    }
}
