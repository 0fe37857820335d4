import Poses

/// Finds people who lie on the floor and do not move: those who fell, and those who have lain there for long.
///
/// A fall is a body that becomes much lower within a moment. It is told once nothing has spoken against it for
/// ``RecognitionRules/Lying/fallSeconds``: whoever gets up, sits, props themselves up or moves does. The detector often
/// loses people who lie, so being lost after a fall does not speak against it.
package struct LyingWatch {
    private let rules: RecognitionRules.Lying
    private var people: [Int: LyingState] = [:]
    /// The number of the person who was told last.
    private var lastNumber = 0

    /// Nobody lies yet.
    package init(_ rules: RecognitionRules.Lying) { self.rules = rules }

    /// Everybody who lies still, by number.
    ///
    /// - Parameters:
    ///   - frame: the frame, with the zone of each track.
    ///   - lastExercise: by track: the end of the last exercise of the open session, in seconds on the source's clock.
    package mutating func look(at frame: TrackedFrame, _ lastExercise: (Int) -> Double?) -> [LyingPerson] {
        guard rules.isEnabled else { return [] }
        let present = Set(frame.tracks.map(\.id))
        for track in frame.measured {
            guard let body = BodyExtent(track.pose, aspect: frame.aspect) else { continue }
            var person =
                people.removeValue(forKey: track.id) ?? fallen(near: body, besides: present, at: frame.time)
                ?? LyingState()
            person.see(body, zone: track.zone, lastExercise: lastExercise(track.id), at: frame.time, rules)
            people[track.id] = person
        }
        for (track, person) in people where person.isForgotten(at: frame.time) { people[track] = nil }
        return people.keys.sorted().compactMap { track in
            let person = people[track]?.lying(in: frame, next: lastNumber + 1, rules)
            lastNumber = max(lastNumber, person?.number ?? 0)
            return person
        }
    }

    /// Goes on under the number that the person had before.
    package mutating func rename(_ track: Int, to earlier: Int) {
        guard let person = people.removeValue(forKey: track) else { return }
        people[earlier] = people[earlier].map { $0.goingOn(with: person) } ?? person
    }

    /// Forgets everybody, as when the source's times jump.
    package mutating func forget() { people = [:] }

    /// Somebody who fell or stood here and is not seen under the old number any more. A tracker often begins anew with
    /// who lies.
    private mutating func fallen(near body: BodyExtent, besides present: Set<Int>, at time: Double) -> LyingState? {
        let near = people.filter {
            !present.contains($0.key) && $0.value.mayLieThere(at: time, rules) && $0.value.isNear(body.middle)
        }
        guard let track = near.keys.min() else { return nil }
        return people.removeValue(forKey: track)
    }
}
