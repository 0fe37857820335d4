import Foundation

/// How many people can be looked at in a frame without using more than a share of the time between two frames.
package struct LookBudget {
    /// The weight of the newest frame in the averages.
    private static let newest = 0.1

    private let maximumLoad: Double
    private var lastTime: Double?
    /// The averages, in seconds; `nil` before they are known.
    private var interval: Double?
    private var lookSeconds: Double?

    /// - Parameter maximumLoad: the share of the time, 0…1.
    package init(maximumLoad: Double) { self.maximumLoad = maximumLoad }

    /// The most people to look at in the frame at this time; one at least.
    package mutating func looks(at time: Double) -> Int {
        if let lastTime, time > lastTime, time - lastTime < 1 {
            interval = Self.average(interval, time - lastTime)
        }
        lastTime = time
        guard let interval, let lookSeconds, lookSeconds > 0 else { return .max }
        return max(1, Int(min(maximumLoad * interval / lookSeconds, 1000)))
    }

    /// Adds the time that a number of looks took together.
    package mutating func add(_ duration: Duration, looks: Int) {
        guard looks > 0 else { return }
        lookSeconds = Self.average(lookSeconds, duration.seconds / Double(looks))
    }

    private static func average(_ old: Double?, _ new: Double) -> Double {
        old.map { $0 + newest * (new - $0) } ?? new
    }
}
