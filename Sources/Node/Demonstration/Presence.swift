import Foundation
import History
import Records

/// Who is in front of which camera when, from which the occupancy of every quarter of an hour follows.
struct Presence {
    private struct Person {
        let camera: String
        let zone: String?
        let time: Range<Int64>
        /// Whether the person waits for the zone.
        let waits: Bool
    }

    private var people: [Person] = []
    /// When cameras delivered no pictures.
    private var absences: [(camera: String, time: Range<Int64>)] = []

    init(_ stays: [Stay]) {
        for stay in stays {
            let start = Timestamp.milliseconds(stay.start)
            let end = max(start, Timestamp.milliseconds(stay.end))
            people.append(Person(camera: stay.camera, zone: stay.zone, time: start..<end, waits: false))
            if let waiting = stay.waiting, waiting.end <= stay.start {
                let time = Timestamp.milliseconds(waiting.start)..<Timestamp.milliseconds(waiting.end)
                people.append(Person(camera: stay.camera, zone: stay.zone, time: time, waits: true))
            }
        }
        people.sort { $0.time.lowerBound < $1.time.lowerBound }
    }

    /// A camera delivers no pictures.
    mutating func isAway(_ camera: String, _ time: DateInterval) {
        absences.append((camera, Timestamp.milliseconds(time.start)..<Timestamp.milliseconds(time.end)))
    }

    /// What a camera saw in a quarter of an hour, and for how long it saw nobody, seconds; `nil` where it was away.
    func sum(_ camera: String, _ slot: Range<Int64>) -> (sum: OccupancySum, empty: Double)? {
        let away = absences.filter { $0.camera == camera }.reduce(0) { $0 + $1.time.clamped(to: slot).seconds }
        var sum = OccupancySum()
        sum.watchedSeconds = slot.seconds - away
        guard sum.watchedSeconds > 0 else { return nil }
        let here = people.filter { $0.time.overlaps(slot) }
        let own = here.filter { $0.camera == camera }
        let times = own.map { $0.time.clamped(to: slot) }
        sum.personSeconds = times.reduce(0) { $0 + $1.seconds }
        sum.most = Self.most(times)
        sum.mostOfAll = Self.most(here.map { $0.time.clamped(to: slot) })
        for (zone, people) in Dictionary(grouping: own.filter { $0.zone != nil }, by: { $0.zone ?? "" }) {
            var seen = OccupancySum.Zone()
            let inside = people.filter { !$0.waits }.map { $0.time.clamped(to: slot) }
            seen.personSeconds = inside.reduce(0) { $0 + $1.seconds }
            seen.waitingSeconds = people.filter(\.waits).reduce(0) { $0 + $1.time.clamped(to: slot).seconds }
            seen.most = Self.most(inside)
            sum.zones[zone] = seen
        }
        return (sum, max(0, sum.watchedSeconds - Self.covered(times)))
    }

    /// The most times that overlap in one moment.
    private static func most(_ times: [Range<Int64>]) -> Int {
        let changes = times.flatMap { [($0.lowerBound, 1), ($0.upperBound, -1)] }.sorted { $0 < $1 }
        var (now, most) = (0, 0)
        for (_, change) in changes {
            now += change
            most = max(most, now)
        }
        return most
    }

    /// Seconds in which there is at least one of the times.
    private static func covered(_ times: [Range<Int64>]) -> Double {
        var (end, sum) = (Int64.min, 0.0)
        for time in times where time.upperBound > end {
            sum += (max(end, time.lowerBound)..<time.upperBound).seconds
            end = time.upperBound
        }
        return sum
    }
}

extension Range<Int64> {
    /// The length of a time in milliseconds, in seconds.
    fileprivate var seconds: Double { isEmpty ? 0 : Double(upperBound - lowerBound) / 1000 }
}
