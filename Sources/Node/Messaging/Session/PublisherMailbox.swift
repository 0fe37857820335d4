import Foundation
import History

/// Messages from other parts of the node, waiting for the messaging thread. Bounded: a retained value replaces its
/// predecessor, and of all other messages only the newest are kept.
struct PublisherMailbox: Sendable {
    static let maximumEvents = 100
    static let maximumLive = 64
    static let maximumLogLines = 50

    private(set) var values: [(camera: String, value: RetainedValue)] = []
    private var places: [String: Int] = [:]
    private(set) var events: [(event: CameraEvent, at: ContinuousClock.Instant)] = []
    private(set) var live: [(camera: String, prediction: LivePrediction)] = []
    /// The newest preview of each camera, JPEG.
    private(set) var previews: [String: [UInt8]] = [:]
    private(set) var logLines: [LogPayload] = []
    /// Outcomes of commands that other parts of the node carried out.
    private(set) var outcomes: [(ticket: CommandTicket, outcome: CommandOutcome)] = []
    private(set) var dropped = 0
    var info: InfoPayload?
    var health: HealthPayload?
    var recordsAvailable = false
    /// The deadline for stopping; `nil` while the thread should run.
    var stopBy: ContinuousClock.Instant?

    mutating func set(_ value: RetainedValue, camera: String) {
        let key = "\(value.name)/\(camera)"
        if let place = places[key] {
            values[place].value = value
        } else {
            places[key] = values.count
            values.append((camera, value))
        }
    }

    mutating func add(_ event: CameraEvent, at now: ContinuousClock.Instant) {
        if events.count == Self.maximumEvents {
            events.removeFirst()
            dropped += 1
        }
        events.append((event, now))
    }

    mutating func add(_ prediction: LivePrediction, camera: String) {
        if live.count == Self.maximumLive {
            live.removeFirst()
            dropped += 1
        }
        live.append((camera, prediction))
    }

    mutating func add(preview: [UInt8], camera: String) {
        if previews.updateValue(preview, forKey: camera) != nil { dropped += 1 }
    }

    mutating func add(_ line: LogPayload) {
        if logLines.count == Self.maximumLogLines {
            logLines.removeFirst()
            dropped += 1
        }
        logLines.append(line)
    }

    /// Adds an outcome. Their number is bounded by the commands under way.
    mutating func add(_ outcome: CommandOutcome, of ticket: CommandTicket) { outcomes.append((ticket, outcome)) }

    /// Removes and returns everything. Only ``stopBy`` stays.
    mutating func drain() -> PublisherMailbox {
        let all = self
        self = PublisherMailbox()
        stopBy = all.stopBy
        return all
    }
}

extension RetainedValue {
    fileprivate var name: String {
        switch self {
        case .status: "status"
        case .state: "state"
        case .workouts: "workouts"
        case .counts: "counts"
        case .enabled: "enabled"
        case .occupancy: "occupancy"
        case .alarm: "alarm"
        }
    }
}
