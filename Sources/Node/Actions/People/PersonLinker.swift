import Foundation
import Poses

/// Knows people again whom the tracker has lost, and gives their new tracks the numbers they had.
///
/// The tracker forgets a hidden person after ten seconds. The linker remembers for a minute who was here, because later another
/// session begins anyway. It compares a new track with them some times while it is young, and whenever one of its sets ends.
///
/// It also cuts a track that went over to another person, which their clothes tell. Then the person has a new number, and is
/// compared with those who were here as everybody who has just appeared.
struct PersonLinker {
    /// How long a person is remembered who is not seen, seconds.
    private static let memorySeconds = 60.0
    /// The ages of a track at which it is compared, seconds.
    private static let ages = [0.5, 1, 2, 4, 8, 16, 32]
    /// Two tracks that were seen together for longer are two people, seconds.
    private static let togetherSeconds = 0.5
    /// A track whose clothes are another person's for longer is cut, seconds …
    private static let strangeSeconds = 1.0
    /// … where somebody else was in view at most so long ago, with whom it can have been confused.
    private static let nearSeconds = 5.0
    /// A track is somebody who was here before where that is more likely than this.
    private static let minimumProbability: Float = 0.5

    private struct Person {
        var traits: PersonTraits
        /// How often they were compared because of their age.
        var compared = 0
        /// Whether they were known again.
        var isLinked = false
    }

    private var people: [Int: Person] = [:]
    /// The person's number of a track, where it is another one or was given away.
    private var numbers: [Int: Int] = [:]
    /// Numbers that a track of the same number may not take by itself.
    private var taken: Set<Int> = []
    private var highest = 0
    private var scale = StatureScale()
    private var ended: Set<Int> = []
    /// The comparisons made with the newest frame.
    private(set) var comparisons: [LinkComparison] = []
    /// The people whose tracks were cut with the newest frame, and since when these were somebody else's, in seconds on the source's clock.
    private(set) var cuts: [(person: Int, since: Double)] = []

    /// The frame with the number of each person, and whom of them the linker takes for somebody who was here before.
    ///
    /// A link is only proposed. It holds after ``join(_:)``, and the frame is to be ``named(_:)`` again.
    mutating func follow(_ frame: TrackedFrame) -> (frame: TrackedFrame, proposals: [PersonLink]) {
        (comparisons, cuts) = ([], [])
        people = people.filter { abs(frame.time - $0.value.traits.last) < Self.memorySeconds }
        numbers = numbers.filter { people[$0.value] != nil }
        settleNumbers(of: frame.tracks.map(\.id))
        let named = named(frame)
        for track in named.measured { note(track, in: named) }
        defer { ended = [] }
        let inView = Set(named.tracks.map(\.id))
        cutTracks(of: inView, at: frame.time)
        if !cuts.isEmpty {
            let cut = self.named(frame)
            for track in cut.measured where people[track.id] == nil { note(track, in: cut) }
            return (cut, [])
        }
        var proposals: [PersonLink] = []
        for id in inView.sorted() where isDue(id, at: frame.time) {
            guard let earlier = bestMatch(of: id, besides: inView, at: frame.time) else { continue }
            proposals.append(PersonLink(from: id, to: earlier, since: people[id]?.traits.first ?? frame.time))
        }
        return (named, proposals)
    }

    /// The frame with the number of each person.
    func named(_ frame: TrackedFrame) -> TrackedFrame {
        numbers.isEmpty ? frame : frame.numbered { numbers[$0] ?? $0 }
    }

    /// Compares a person again with the next frame, because a set of theirs ended.
    mutating func setEnded(of person: Int) { ended.insert(person) }

    /// Forgets who was here, because other people follow. The numbers in use stay.
    mutating func forgetEverybody() { people = [:] }

    /// From now on a track is a person who was here before.
    mutating func join(_ link: PersonLink) {
        guard var person = people[link.from], let before = people[link.to] else { return }
        person.traits.join(before.traits)
        person.isLinked = true
        people[link.from] = nil
        people[link.to] = person
        let track = numbers.first { $0.value == link.from }?.key ?? link.from
        for (other, number) in numbers where number == link.to { numbers[other] = nil }
        numbers[track] = link.to
        taken.insert(link.to)
    }

    /// A track whose number was given to somebody else, who is in view as well, gets a new one.
    private mutating func settleNumbers(of tracks: [Int]) {
        highest = max(highest, tracks.max() ?? 0)
        for id in tracks where numbers[id] == nil && taken.contains(id) {
            if tracks.contains(where: { numbers[$0] == id }) {
                highest += 1
                numbers[id] = highest
                taken.insert(highest)
            } else {
                for (other, number) in numbers where number == id { numbers[other] = nil }
                numbers[id] = id
            }
        }
    }

    private mutating func note(_ track: Track, in frame: TrackedFrame) {
        let body = Body(track.pose, aspect: frame.aspect)
        let stature = scale.stature(of: track.pose, aspect: frame.aspect)
        if people[track.id] == nil { people[track.id] = Person(traits: PersonTraits(body, at: frame.time)) }
        people[track.id]?.traits.add(body, stature: stature, clothes: track.clothes, at: frame.time)
    }

    /// A track whose clothes have been another person's for a while is that person's: it gets a new number. Where most people's
    /// clothes change at once, and not to those of each other, it is the light.
    private mutating func cutTracks(of inView: Set<Int>, at time: Double) {
        let strange = inView.filter { id in
            people[id]?.traits.strangeSince.map { time - $0 >= Self.strangeSeconds } == true
        }
        guard !strange.isEmpty else { return }
        let others = people.filter { time - $0.value.traits.last < Self.nearSeconds }
        let isLight =
            strange.count * 2 > others.count
            && !strange.allSatisfy { id in
                others.contains { $0.key != id && people[id]?.traits.isDressed(as: $0.value.traits) == true }
            }
        guard !isLight else {
            for id in strange { people[id]?.traits.forgetClothes() }
            return
        }
        for id in strange.sorted() {
            guard let since = people[id]?.traits.strangeSince, let traits = people[id]?.traits else { continue }
            people[id]?.traits = traits.before(since)
            let track = numbers.first { $0.value == id }?.key ?? id
            highest += 1
            numbers[track] = highest
            taken.formUnion([id, highest])
            cuts.append((id, since))
        }
    }

    private mutating func isDue(_ id: Int, at time: Double) -> Bool {
        guard let person = people[id], !person.isLinked else { return false }
        if person.compared < Self.ages.count, time - person.traits.first >= Self.ages[person.compared] {
            people[id]?.compared += 1
            return true
        }
        return ended.contains(id)
    }

    /// The person out of view who is most likely this one; `nil` where this is more likely somebody else.
    private mutating func bestMatch(of id: Int, besides inView: Set<Int>, at time: Double) -> Int? {
        guard let later = people[id]?.traits else { return nil }
        let others = people.filter { other, person in
            other != id && !inView.contains(other) && person.traits.last < later.first + Self.togetherSeconds
        }
        var best: (person: Int, probability: Float)?
        for (other, person) in others.sorted(by: { $0.key < $1.key }) {
            guard let evidence = LinkEvidence(person.traits, later) else { continue }
            comparisons.append(LinkComparison(time: time, earlier: other, later: id, evidence: evidence))
            let probability = evidence.probability
            if probability > best?.probability ?? Self.minimumProbability { best = (other, probability) }
        }
        return best?.person
    }
}

/// A track that is a person who was here before.
public struct PersonLink: Sendable, Equatable {
    /// The number that the person had until now.
    public let from: Int
    /// The number they have from now on.
    public let to: Int
    /// By how much the numbers of their sets are raised.
    public internal(set) var setOffset: Int
    /// When the track began, in seconds on the source's clock.
    public let since: Double

    /// Creates a link from its parts.
    public init(from: Int, to: Int, since: Double, setOffset: Int = 0) {
        (self.from, self.to, self.since, self.setOffset) = (from, to, since, setOffset)
    }

    /// Gives what was found so far in a recording to the person under their number.
    package func apply(to predictions: inout [Prediction], _ sets: inout [ExerciseSet]) {
        for index in predictions.indices where predictions[index].track == from { predictions[index].track = to }
        for index in sets.indices where sets[index].track == from {
            sets[index] = sets[index].numbered(track: to, sets[index].number + setOffset)
        }
    }
}

/// A comparison of two people that was made, for measuring.
package struct LinkComparison: Sendable {
    /// The time of the frame, in seconds on the source's clock.
    package let time: Double
    /// The person who was lost before, and the one who appeared later.
    package let earlier: Int, later: Int
    /// How alike they are.
    package let evidence: LinkEvidence
}
