import Foundation
import History
import Messaging
import Records
import Synchronization

/// Knows how many people are usual at this hour. The history is asked once in a quarter of an hour.
package final class NodeOccupancy: Sendable {
    private let query: HistoryQuery
    private let timeZone: TimeZone
    private let known = Mutex<(slot: OccupancySlot, usual: UsualOccupancy?)?>(nil)

    init(store: Store) { (query, timeZone) = (store.query, store.settings.timeZone) }

    fileprivate func usual(at moment: Date) -> UsualOccupancy? {
        let slot = OccupancySlot(holding: moment, camera: "")
        return known.withLock { known in
            if let known, known.slot == slot { return known.usual }
            // What cannot be read now is asked again later; the storage reports its own problems.
            do { known = (slot, try query.usual(at: moment, in: timeZone)) } catch {}
            return known?.usual
        }
    }
}

extension Node {
    /// How many people the cameras see now, and how many are usual. Reads the history now and then.
    package func occupancy(_ reports: CameraStatusBoard, wall: Date = Date()) -> OccupancyPayload {
        let seen = configuration.cameras.map(\.id).filter { camera in
            commands.switches.isOn(camera) && commands.sessionEnds.isPipelineRunning(camera)
        }.compactMap { reports.all[$0] }.filter { $0.lastFrame != nil }
        return OccupancyPayload(
            people: seen.isEmpty ? nil : floor.total, usual: usualOccupancy.usual(at: wall),
            ts: wall)
    }
}
