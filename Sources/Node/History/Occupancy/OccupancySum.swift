import Foundation
import Records

/// A quarter of an hour of one camera, beginning at a multiple of fifteen minutes in UTC. Every time zone of today begins
/// its hours with such a quarter.
package struct OccupancySlot: Hashable, Sendable {
    /// The length of a slot, milliseconds.
    package static let lengthMs: Int64 = 900_000
    /// Its first moment, milliseconds since 1970.
    package let startMilliseconds: Int64
    /// The camera's id.
    package let camera: String

    /// The slot of a camera that holds a moment.
    package init(holding moment: Date, camera: String) {
        let milliseconds = Timestamp.milliseconds(moment)
        let remainder = milliseconds % Self.lengthMs
        startMilliseconds = milliseconds - (remainder < 0 ? remainder + Self.lengthMs : remainder)
        self.camera = camera
    }
}

/// How many people a camera saw in some time, and for how long it watched. It names nobody.
package struct OccupancySum: Sendable, Equatable {
    /// What was seen of one zone.
    package struct Zone: Sendable, Equatable {
        /// The time that people spent there, added up over them, seconds.
        package var personSeconds = 0.0
        /// The time that people waited beside it, added up over them, seconds.
        package var waitingSeconds = 0.0
        /// The most people in it at once.
        package var most = 0

        /// Nothing seen yet.
        package init() {}
    }

    /// How long the camera was watched, seconds.
    package var watchedSeconds = 0.0
    /// The time that people were in view, added up over them, seconds.
    package var personSeconds = 0.0
    /// The most people in view of this camera at once.
    package var most = 0
    /// The most people in view of all cameras at once.
    package var mostOfAll = 0
    /// The zones in which people were, or beside which they waited.
    package var zones: [String: Zone] = [:]

    /// Nothing seen yet.
    package init() {}

    /// Adds what was seen in other time.
    package mutating func add(_ other: Self) {
        watchedSeconds += other.watchedSeconds
        personSeconds += other.personSeconds
        most = max(most, other.most)
        mostOfAll = max(mostOfAll, other.mostOfAll)
        for (name, zone) in other.zones {
            var sum = zones[name] ?? Zone()
            sum.personSeconds += zone.personSeconds
            sum.waitingSeconds += zone.waitingSeconds
            sum.most = max(sum.most, zone.most)
            zones[name] = sum
        }
    }
}
