import Foundation

/// What all simulated nodes of a run have in common.
struct FleetSettings: Sendable {
    /// Each node has its own folder in this one.
    let folder: URL
    let host: String
    /// The nodes are spread over these ports.
    let ports: [Int]
    /// The file with the password of all nodes; a node's user is its id. `nil` to connect without.
    let passwordFile: String?
    let sitePrefix: String
    let nodesPerSite: Int
    /// Records that one node makes in a second.
    let recordsPerSecond: Double
    /// How long records are made, seconds.
    let seconds: Double
    /// How much faster than the clock the people exercise.
    let speed: Double
    let seed: UInt64
    /// The longest wait between two attempts to connect.
    let lastRetry: Duration
    let commitInterval: Duration
    let began = Date()
    let start = ContinuousClock.now

    /// The moment in the life of a node's people. Their time passes faster and ends in the past, so that not all
    /// sessions are of today.
    func simulated(_ now: ContinuousClock.Instant, node: Int) -> Date {
        let daysAgo = Double(node % 3) * 86_400
        let moment = began.addingTimeInterval((now - start).inSeconds * speed - seconds * speed - daysAgo)
        return min(moment, Date())
    }

    func site(of node: Int) -> String { sitePrefix + Self.padded(node / nodesPerSite) }

    static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
