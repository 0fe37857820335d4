import Foundation

/// How often a network can run in a frame without using more than a share of the time between two frames.
///
/// Time that is left is saved for the next frame. So a network that takes as long as two frames runs in every second one.
package struct FrameBudget {
    /// The weight of the newest frame in the averages.
    private static let newest = 0.1

    private var lastTime: Double?
    /// The averages, in seconds; `nil` before they are known.
    private var interval: Double?
    private var runSeconds: Double?
    /// Runs that there was time for and that did not take place, less than one frame's and one.
    private var saved = 0.0

    /// Starts without measurements.
    package init() {}

    /// The most runs in the frame at this time; any number before the first measurements.
    ///
    /// - Parameter load: the share of the time that they may take, 0…1.
    package mutating func runs(at time: Double, load: Double) -> Int {
        if let lastTime, time > lastTime, time - lastTime < 1 {
            interval = Self.average(interval, time - lastTime)
        }
        lastTime = time
        guard let interval, let runSeconds, runSeconds > 0 else { return .max }
        let each = min(load * interval / runSeconds, 1000)
        saved = min(saved + each, each + 1)
        return Int(saved)
    }

    /// Adds the time that a number of runs took together.
    package mutating func add(_ duration: Duration, runs: Int) {
        guard runs > 0 else { return }
        saved = max(0, saved - Double(runs))
        runSeconds = Self.average(runSeconds, duration.seconds / Double(runs))
    }

    private static func average(_ old: Double?, _ new: Double) -> Double {
        old.map { $0 + newest * (new - $0) } ?? new
    }
}
