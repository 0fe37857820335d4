import Actions
import Foundation
import History
import Poses
import Synchronization

/// Adds up for how long a camera watches, how many people it sees, and who waits beside its zones.
struct OccupancyMeter {
    /// A longer pause between two frames was not watched, seconds.
    static let longestPause = 10.0
    /// What was seen is handed on after this long, seconds.
    private static let handingOn = 5.0

    private let camera: String
    private let floor: FloorCount
    private var slot: OccupancySlot?
    private var sum = OccupancySum()
    /// The time of the frame before, on the source's clock; `nil` before the first one.
    private var last: Double?

    init(camera: String, floor: FloorCount) { (self.camera, self.floor) = (camera, floor) }

    /// Adds a frame: what is seen in it is taken for the time since the one before.
    ///
    /// - Parameter doubles: the people whom a camera with an overlapping view counts.
    /// - Returns: a part of a quarter of an hour that is to be stored; `nil` while it goes on.
    mutating func add(
        _ frame: TrackedFrame, doubles: Set<Int> = [], waiting: [String: Int], at moment: Date
    ) -> (slot: OccupancySlot, sum: OccupancySum)? {
        let now = OccupancySlot(holding: moment, camera: camera)
        let finished = slot != now || sum.watchedSeconds >= Self.handingOn ? take() : nil
        slot = now
        let seconds = last.map { frame.time - $0 } ?? 0
        last = frame.time
        let people = frame.tracks.count { !doubles.contains($0.id) }
        sum.most = max(sum.most, people)
        sum.mostOfAll = max(sum.mostOfAll, floor.count(people, of: camera))
        let isWatched = seconds > 0 && seconds <= Self.longestPause
        if isWatched {
            sum.watchedSeconds += seconds
            sum.personSeconds += Double(people) * seconds
        }
        let places = frame.tracks.compactMap(\.zone).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for zone in Set(places.keys).union(waiting.keys) {
            var seen = sum.zones[zone] ?? OccupancySum.Zone()
            seen.most = max(seen.most, places[zone] ?? 0)
            if isWatched {
                seen.personSeconds += Double(places[zone] ?? 0) * seconds
                seen.waitingSeconds += Double(waiting[zone] ?? 0) * seconds
            }
            sum.zones[zone] = seen
        }
        return finished
    }

    /// What is not stored yet, at the end of the source.
    mutating func close() -> (slot: OccupancySlot, sum: OccupancySum)? {
        floor.count(0, of: camera)
        last = nil
        return take()
    }

    private mutating func take() -> (slot: OccupancySlot, sum: OccupancySum)? {
        defer { sum = OccupancySum() }
        guard let slot, sum.watchedSeconds > 0 else { return nil }
        return (slot, sum)
    }
}

/// How many people all cameras of the node see.
package final class FloorCount: Sendable {
    private let people = Mutex<[String: Int]>([:])

    /// Nobody yet.
    package init() {}

    /// Notes what a camera sees.
    ///
    /// - Returns: the people that all cameras see. Who is seen by two of them counts twice, unless the views are known to overlap.
    @discardableResult
    package func count(_ number: Int, of camera: String) -> Int {
        people.withLock { people in
            people[camera] = number
            return people.values.reduce(0, +)
        }
    }

    /// The people that all cameras see now.
    var total: Int { people.withLock { $0.values.reduce(0, +) } }
}
