import Foundation

/// How often a network can run in a frame without using more than a share of the time between two frames.
package struct FrameBudget {
    /// The weight of the newest frame in the averages.
    private static let newest = 0.1

    private let maximumLoad: Double
    private var lastTime: Double?
    /// The averages, in seconds; `nil` before they are known.
    private var interval: Double?
    private var runSeconds: Double?

    /// - Parameter maximumLoad: the share of the time, 0…1.
    package init(maximumLoad: Double) { self.maximumLoad = maximumLoad }

    /// The most runs in the frame at this time; one at least.
    package mutating func runs(at time: Double) -> Int {
        if let lastTime, time > lastTime, time - lastTime < 1 {
            interval = Self.average(interval, time - lastTime)
        }
        lastTime = time
        guard let interval, let runSeconds, runSeconds > 0 else { return .max }
        return max(1, Int(min(maximumLoad * interval / runSeconds, 1000)))
    }

    /// Adds the time that a number of runs took together.
    package mutating func add(_ duration: Duration, runs: Int) {
        guard runs > 0 else { return }
        runSeconds = Self.average(runSeconds, duration.seconds / Double(runs))
    }

    private static func average(_ old: Double?, _ new: Double) -> Double {
        old.map { $0 + newest * (new - $0) } ?? new
    }
}
