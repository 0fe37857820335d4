import Foundation

/// The time of one camera by which its workouts are dated: the wall clock, or the times of a recording.
struct CameraClock: Sendable {
    /// A live camera without a frame for this long is silent.
    private static let silence = Duration.seconds(2)

    /// The time of the newest frame.
    let time: Date
    /// Whether the camera's times are those of the wall clock.
    let isLive: Bool
    /// When the newest frame was seen.
    let seen: ContinuousClock.Instant
    /// Whether the source is open. While a recording is read its own times count, however slowly they come.
    var isOpen = true

    /// The camera's time. A recording that was closed before its end goes on as time passes.
    func date(wall: Date, now: ContinuousClock.Instant) -> Date {
        if isLive { return wall }
        return isOpen ? time : time.addingTimeInterval((now - seen) / .seconds(1))
    }

    /// Whether no frame tells the time.
    func isSilent(now: ContinuousClock.Instant) -> Bool { isLive ? now - seen > Self.silence : !isOpen }
}
