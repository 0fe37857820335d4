import Actions
import Foundation
import History
import Workouts

/// Something that a node would have stored, and when.
struct News {
    enum Content {
        case prediction(Prediction, camera: String)
        case excluded(Int, String, String)
        case session(Session)
        case workout(Workout)
        case presence(CameraPresence)
        case occupancy(OccupancySlot, OccupancySum)
        /// A person corrected a set of a session.
        case correction(Int, String, SetChange)
        case alarm(Alarm)
    }

    let at: Date
    private let content: Content

    init(at moment: Date, _ content: Content) { (at, self.content) = (moment, content) }

    /// The order of what happens in the same moment.
    var order: Int {
        switch content {
        case .prediction, .excluded, .occupancy, .presence: 0
        case .session: 1
        case .workout: 2
        case .correction, .alarm: 3
        }
    }

    /// Whether it changes what is on disk.
    var isEdit: Bool { order == 3 }

    /// Hands it to the writer, if the recognition sees such things.
    func write(to writer: HistoryWriter, now: ContinuousClock.Instant) {
        switch content {
        case .prediction(let prediction, let camera): writer.credit(prediction, camera: camera, wall: at, now: now)
        case .excluded(let frames, let reason, let camera):
            writer.exclude(frames: frames, reason: reason, camera: camera, wall: at, now: now)
        case .session(let session): writer.enqueue(.ended(session), now: now)
        case .workout(let workout): writer.enqueue(workout, events: [], now: now)
        case .presence(let change): writer.enqueue(change, now: now)
        case .occupancy(let slot, let sum): writer.add(sum, to: slot, now: now)
        case .correction, .alarm: break
        }
    }

    /// Changes the history, if people do such things.
    func carryOut(in store: Store, clock: ClockReading) throws {
        switch content {
        case .correction(let number, let session, let change):
            try store.correctSet(number, of: session, to: change, wall: at, clock: clock.state)
        case .alarm(let alarm): try store.save([alarm], wall: at, clock: clock)
        default: break
        }
    }
}
