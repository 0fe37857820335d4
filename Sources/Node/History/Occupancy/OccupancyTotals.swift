import Foundation
import GRDB
import Records

/// Adds up quarters of an hour to the mean number of people.
///
/// A camera counts with the mean of the time in which it watched. While it was away and others watched, it counts as it does
/// in the rest of the time, so that an hour without it is not taken for a quiet one.
struct OccupancyTotals<Key: Hashable> {
    /// The sums of one cell.
    struct Cell {
        /// By camera: the time of the people, and the time that it stands for, seconds.
        fileprivate var personSeconds: [Double]
        fileprivate var seconds: [Double]
        /// For how long any camera was watched, seconds.
        fileprivate(set) var watchedSeconds = 0.0
        /// The most people at once.
        fileprivate(set) var most = 0

        fileprivate init(cameras: Int) {
            personSeconds = Array(repeating: 0, count: cameras)
            seconds = personSeconds
        }

        /// The mean number of people; `nil` where nobody watched.
        var mean: Double? {
            guard watchedSeconds > 0 else { return nil }
            return zip(personSeconds, seconds).reduce(0) { $0 + ($1.1 > 0 ? $1.0 / $1.1 : 0) }
        }
    }

    /// When each camera delivered no pictures, milliseconds since 1970.
    private let absences: [[Range<Int64>]]
    private(set) var cells: [Key: Cell] = [:]

    /// Nothing seen yet.
    init(_ slots: OccupancySlots) { absences = slots.absences }

    /// Adds a slot.
    ///
    /// - Parameter seen: one value for each camera that watched in it.
    mutating func add(_ seen: ArraySlice<OccupancySlots.Seen>, of slot: Int64, to key: Key) {
        let watched = seen.reduce(0) { max($0, $1.watchedSeconds) }
        guard watched > 0 else { return }
        add(seen, of: slot, watched, to: &cells[key, default: Cell(cameras: absences.count)])
    }

    private func add(
        _ seen: ArraySlice<OccupancySlots.Seen>, of slot: Int64, _ watched: Double, to cell: inout Cell
    ) {
        cell.watchedSeconds += watched
        for camera in absences.indices where !isAway(camera, in: slot) { cell.seconds[camera] += watched }
        for own in seen {
            cell.personSeconds[own.camera] += own.personSeconds
            if isAway(own.camera, in: slot) { cell.seconds[own.camera] += own.watchedSeconds }
            cell.most = max(cell.most, own.most)
        }
    }

    private func isAway(_ camera: Int, in slot: Int64) -> Bool {
        !absences[camera].isEmpty
            && absences[camera].contains { $0.overlaps(slot..<slot + OccupancySlot.lengthMs) }
    }
}
