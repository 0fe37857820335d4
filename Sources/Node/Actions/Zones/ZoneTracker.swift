import Poses

/// Assigns each tracked person to a zone of the picture, by where the feet are.
///
/// A person changes zones only after ``patienceSeconds`` in the new place, because joints tremble
/// and a lunge reaches over a line. A hidden person keeps the zone.
struct ZoneTracker {
    /// The seconds after which a person who stands elsewhere has changed zones.
    static let patienceSeconds = 1.0
    /// A track that was not seen for this many seconds does not return.
    private static let forgetSeconds = 60.0

    private struct Place {
        var zone: String?
        /// Another zone, and since when the person is there.
        var candidate: (zone: String?, since: Double)?
        var seen: Double
    }

    private let zones: [Zone]
    private var places: [Int: Place] = [:]

    /// - Parameter zones: in the order of precedence where they overlap.
    init(_ zones: [Zone]) { self.zones = zones }

    /// The frame with the zone of each track.
    mutating func assign(_ frame: TrackedFrame) -> TrackedFrame {
        guard !zones.isEmpty else { return frame }
        let time = frame.time
        places = places.filter { abs(time - $0.value.seen) < Self.forgetSeconds }
        let tracks = frame.tracks.map { track in
            var track = track
            track.zone = zone(of: track, at: time)
            return track
        }
        return TrackedFrame(
            index: frame.index, time: time, image: frame.image, widthPixels: frame.widthPixels,
            heightPixels: frame.heightPixels, tracks: tracks, prominent: frame.prominent)
    }

    /// Goes on with the zone of a track under the number that the person had before.
    mutating func rename(_ track: Int, to earlier: Int) { places[earlier] = places.removeValue(forKey: track) }

    /// The last zone of a track, also while the person is hidden; `nil` outside all zones.
    func lastZone(of track: Int) -> String? { places[track]?.zone }

    private mutating func zone(of track: Track, at time: Double) -> String? {
        guard let feet = track.pose.feet else { return places[track.id]?.zone }
        let here = zones.first { $0.area.contains(feet) }?.name
        var place = places[track.id] ?? Place(zone: here, seen: time)
        place.seen = time
        if here == place.zone {
            place.candidate = nil
        } else if let candidate = place.candidate, candidate.zone == here, candidate.since <= time {
            if time - candidate.since >= Self.patienceSeconds { place = Place(zone: here, seen: time) }
        } else {
            place.candidate = (here, time)
        }
        places[track.id] = place
        return place.zone
    }
}

/// In which zones one person was, and when. Answers where most of a span of time was spent.
struct ZoneVisits: Equatable {
    /// The most changes of zone that are remembered; older ones are forgotten.
    private static let maximum = 500

    private struct Visit: Equatable {
        let zone: String?
        let from: Double
    }
    private var visits: [Visit] = []

    /// Notes the person's zone at a time. Calls must be in order of time.
    mutating func add(_ zone: String?, at time: Double) {
        guard visits.isEmpty || visits[visits.count - 1].zone != zone else { return }
        if visits.count == Self.maximum { visits.removeFirst() }
        visits.append(Visit(zone: zone, from: time))
    }

    /// Adds the visits of a person who turned out to be the same.
    mutating func add(_ later: ZoneVisits) {
        visits = Array((visits + later.visits).sorted { $0.from < $1.from }.suffix(Self.maximum))
    }

    /// The zone in which most of the span was spent; `nil` where that was outside all zones. The first zone counts for the
    /// time before it, too.
    func main(from start: Double, to end: Double) -> String? {
        var seconds: [String?: Double] = [:]
        for (index, visit) in visits.enumerated() {
            let from = index == 0 ? start : max(start, visit.from)
            let to = index + 1 < visits.count ? min(end, visits[index + 1].from) : end
            if to >= from { seconds[visit.zone, default: 0] += to - from }
        }
        return seconds.max { ($0.value, $1.key ?? "") < ($1.value, $0.key ?? "") }?.key
    }
}
