import Foundation

/// Chooses the prominent person: the largest in the picture, with hysteresis between people of similar size.
struct ProminentPerson {
    /// Another person must be larger by this factor …
    private static let advantage: Float = 1.25
    /// … for this many seconds to become prominent.
    private static let takeoverSeconds = 0.5
    /// A hidden person stays prominent for this many seconds.
    private static let graceSeconds = 1.0
    /// The time constant in seconds over which areas are averaged, since every movement of arms and legs changes them.
    private static let smoothingSeconds = 0.7

    private var current: Int?
    private var lastSeen = 0.0
    private var lastTime: Double?
    private var challenger: (track: Int, since: Double)?
    private var areas: [Int: Float] = [:]

    /// The track of the prominent person after the next frame; `nil` without one.
    mutating func choose(among tracks: [Track], time: Double) -> Int? {
        averageAreas(of: tracks, time: time)
        if tracks.contains(where: { $0.id == current }) {
            lastSeen = time
        } else if current != nil && time - lastSeen > Self.graceSeconds {
            current = nil
        }
        guard let largest = tracks.map(\.id).max(by: { areas[$0, default: 0] < areas[$1, default: 0] }) else {
            return current
        }
        guard let holder = current else {
            choose(largest, time: time)
            return current
        }
        guard largest != holder, areas[largest, default: 0] > Self.advantage * areas[holder, default: 0] else {
            challenger = nil
            return current
        }
        if challenger?.track != largest { challenger = (largest, time) }
        if let challenger, time - challenger.since >= Self.takeoverSeconds { choose(largest, time: time) }
        return current
    }

    private mutating func choose(_ track: Int, time: Double) {
        current = track
        lastSeen = time
        challenger = nil
    }

    private mutating func averageAreas(of tracks: [Track], time: Double) {
        let elapsed = max(0, time - (lastTime ?? time))
        lastTime = time
        let weight = Float(1 - exp(-elapsed / Self.smoothingSeconds))
        var next: [Int: Float] = [:]
        for track in tracks {
            let area = track.pose.area
            next[track.id] = areas[track.id].map { $0 + weight * (area - $0) } ?? area
        }
        if let current, next[current] == nil { next[current] = areas[current] }
        areas = next
    }
}
