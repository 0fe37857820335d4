import Foundation

/// Compares tracks with the truth, picture by picture.
///
/// Correspondences are those of CLEAR MOT (K. Bernardin and R. Stiefelhagen, "Evaluating Multiple Object Tracking
/// Performance: The CLEAR MOT Metrics", 2008): a track that was on a person stays on them while it is near enough; the
/// others are assigned with the smallest sum of distances. Identities are those of E. Ristani et al., "Performance
/// Measures and a Data Set for Multi-Target, Multi-Camera Tracking", 2016: one assignment of tracks to people for the
/// whole clip, with as many common pictures as possible.
///
/// We differ in two points. A person of whom too little is visible is neither missed nor false when a track is on them.
/// A person who was out of sight for longer than ``TrackingSettings/memorySeconds`` is a new person.
struct TrackingComparison {
    private let settings: TrackingSettings
    private var counts = TrackingCounts()
    /// The index of the last stay of each person.
    private var stayOf: [Int: Int] = [:]
    /// The track that was on each stay last.
    private var trackOf: [Int: Int] = [:]
    /// In how many pictures a track was near enough to a stay.
    private var common: [Int: [Int: Int]] = [:]
    /// In how many pictures each track was on a person, and on nobody.
    private var trackPictures: [Int: (matched: Int, alone: Int)] = [:]
    /// Who was on which track in each picture.
    private var owners: [RightMinutes.Owners] = []

    private init(_ settings: TrackingSettings) { self.settings = settings }

    /// Counts everything in a recording.
    ///
    /// Each picture of the truth is compared with the frame of the tracks that is nearest in time, at most half an
    /// interval of the slower one away; without such a frame nobody is followed.
    ///
    /// - Returns: the counts, and who was on which track in each picture.
    static func counts(
        of tracks: IdentityStream, truth: IdentityStream, settings: TrackingSettings
    ) -> (counts: TrackingCounts, owners: [RightMinutes.Owners]) {
        var comparison = TrackingComparison(settings)
        let reach = max(tracks.intervalSeconds, truth.intervalSeconds) / 2 + 1e-3
        var next = 0
        for picture in truth.pictures {
            while next + 1 < tracks.pictures.count,
                abs(tracks.pictures[next + 1].time - picture.time) <= abs(tracks.pictures[next].time - picture.time)
            { next += 1 }
            let frame = next < tracks.pictures.count ? tracks.pictures[next] : nil
            let isNear = frame.map { abs($0.time - picture.time) <= reach } ?? false
            comparison.compare(picture, with: isNear ? frame?.people ?? [] : [])
        }
        return (comparison.finished(truth), comparison.owners)
    }

    private mutating func compare(_ picture: IdentityStream.Picture, with tracks: [IdentityStream.Person]) {
        let people = picture.people.filter { $0.visibleShare >= settings.minimumVisible }
        let others = picture.people.filter { $0.visibleShare < settings.minimumVisible }
        let stays = people.map { stay(of: $0.identity, at: picture.time) }
        let distances = people.map { person in
            tracks.map { within(1, of: person, to: $0) }
        }
        let owners = matched(stays, tracks, distances)
        var free = Set(tracks.indices)
        for (index, stay) in stays.enumerated() {
            count(stay, at: picture.time, track: owners[index].map { tracks[$0].identity })
            guard let track = owners[index] else { continue }
            free.remove(track)
            counts.distances += distances[index][track] ?? 0
        }
        let onTracks = zip(people, owners).compactMap { person, track in
            track.map { (tracks[$0].identity, person.identity) }
        }
        self.owners.append(
            RightMinutes.Owners(time: picture.time, people: Dictionary(onTracks) { first, _ in first }))
        let ignored = tracksOnOthers(free, tracks, others)
        for track in tracks.indices where !ignored.contains(track) {
            note(tracks[track].identity, isAlone: free.contains(track))
            for (index, stay) in stays.enumerated() where distances[index][track] != nil {
                common[stay, default: [:]][tracks[track].identity, default: 0] += 1
            }
        }
    }

    /// For each stay the index of its track.
    private func matched(_ stays: [Int], _ tracks: [IdentityStream.Person], _ distances: [[Double?]]) -> [Int?] {
        var owners = stays.indices.map { index in
            tracks.indices.first { tracks[$0].identity == trackOf[stays[index]] && distances[index][$0] != nil }
        }
        let people = stays.indices.filter { owners[$0] == nil }
        let free = tracks.indices.filter { !owners.contains($0) }
        let chosen = Assignment.cheapest(people.map { person in free.map { distances[person][$0] } })
        for (person, column) in zip(people, chosen) { if let column { owners[person] = free[column] } }
        return owners
    }

    /// The free tracks that are on people who do not count. Hidden joints are guessed, so they may lie twice as far.
    private func tracksOnOthers(
        _ free: Set<Int>, _ tracks: [IdentityStream.Person], _ others: [IdentityStream.Person]
    ) -> Set<Int> {
        let free = free.sorted()
        let chosen = Assignment.cheapest(
            others.map { other in
                free.map { within(2, of: other, to: tracks[$0]) }
            })
        return Set(chosen.compactMap { $0.map { free[$0] } })
    }

    /// The distance of a track from a person; `nil` where it is more than so many times the largest one.
    private func within(
        _ times: Double, of person: IdentityStream.Person, to track: IdentityStream.Person
    ) -> Double? {
        let isOutline = person.outline != nil
        let distance = isOutline ? person.outlineDistance(to: track) : person.distance(to: track)
        let limit = isOutline ? settings.maximumOutlineDistance : settings.maximumDistance
        return distance <= times * limit ? distance : nil
    }

    /// The index of a person's stay at a time at which they count.
    private mutating func stay(of person: Int, at time: Double) -> Int {
        if let stay = stayOf[person], time - counts.stays[stay].end <= settings.memorySeconds { return stay }
        counts.stays.append(TrackingCounts.Stay(person: person, start: time))
        stayOf[person] = counts.stays.count - 1
        return counts.stays.count - 1
    }

    private mutating func count(_ index: Int, at time: Double, track: Int?) {
        var stay = counts.stays[index]
        let isLater = time - stay.start >= 2 - 1e-6
        stay.end = time
        stay.pictures += 1
        if isLater { stay.laterPictures += 1 }
        counts.persons += 1
        if let track {
            counts.matches += 1
            stay.matched += 1
            if isLater { stay.laterMatched += 1 }
            stay.found = stay.found ?? time
            if !stay.tracks.contains(track) { stay.tracks.append(track) }
            if let before = trackOf[index], before != track {
                counts.switches += 1
                stay.switches += 1
            }
            trackOf[index] = track
        } else {
            counts.misses += 1
        }
        counts.stays[index] = stay
    }

    private mutating func note(_ track: Int, isAlone: Bool) {
        counts.tracked += 1
        if isAlone { counts.falsePositives += 1 }
        var pictures = trackPictures[track] ?? (0, 0)
        if isAlone { pictures.alone += 1 } else { pictures.matched += 1 }
        trackPictures[track] = pictures
    }

    private func finished(_ truth: IdentityStream) -> TrackingCounts {
        var result = counts
        result.minutes = Double(truth.pictures.count) * truth.intervalSeconds / 60
        result.personMinutes = Double(counts.persons) * truth.intervalSeconds / 60
        result.falseSeconds = Double(counts.falsePositives) * truth.intervalSeconds
        result.falseTracks = trackPictures.values.count { $0.alone > $0.matched }
        let tracks = trackPictures.keys.sorted()
        let shared = counts.stays.indices.map { stay in tracks.map { common[stay]?[$0] ?? 0 } }
        let chosen = Assignment.cheapest(shared.map { row in row.map { Double(-$0) } })
        result.identityMatches = zip(shared, chosen).reduce(0) { sum, pair in sum + (pair.1.map { pair.0[$0] } ?? 0) }
        return result
    }
}

extension IdentityStream.Person {
    /// The mean distance of the joints that both have, in sizes of this body; infinite without any.
    func distance(to other: Self) -> Double {
        let known = joints.compactMap { $0 }
        guard let first = known.first else { return .infinity }
        let low = known.reduce(first) { pointwiseMin($0, $1) }
        let high = known.reduce(first) { pointwiseMax($0, $1) }
        let size = max(high.x - low.x, high.y - low.y)
        let steps = zip(joints, other.joints).compactMap { own, theirs in
            own.flatMap { own in theirs.map { ($0 - own) * ($0 - own) } }
        }
        guard size > 0, !steps.isEmpty else { return .infinity }
        return steps.reduce(0) { $0 + $1.sum().squareRoot() } / Double(steps.count) / size
    }
}
