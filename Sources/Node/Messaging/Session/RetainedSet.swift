import Broker
import Foundation

/// The newest value of every retained topic of the cameras, and of the node's `occupancy` and `alarm`. A broker that lost
/// its retained messages gets them again from here.
struct RetainedSet {
    private let topics: Topics
    private let timeZone: TimeZone
    private var cameras: [String] = []
    private var entries: [String: [RetainedTopic]] = [:]

    init(topics: Topics, timeZone: TimeZone) {
        self.topics = topics
        self.timeZone = timeZone
    }

    /// - Parameter camera: whose value it is; empty for the node's own.
    mutating func set(_ value: RetainedValue, camera: String) {
        if entries[camera] == nil {
            cameras.append(camera)
            entries[camera] = camera.isEmpty ? Self.entriesOfNode(topics) : Self.entries(of: camera, topics)
        }
        entries[camera]?[value.place].set(value)
    }

    /// The newest value of one of a camera's topics; `nil` while there is none.
    func newest(_ topic: CameraTopic, of camera: String) -> RetainedValue? {
        entries[camera]?.first { $0.topic == topics.camera(camera, topic) }?.newest
    }

    /// Sets a camera's first value; a topic that has a value keeps it.
    mutating func begin(_ value: RetainedValue, camera: String) {
        if entries[camera]?[value.place].newest == nil { set(value, camera: camera) }
    }

    /// Whether any topic is due.
    func isDue(_ now: ContinuousClock.Instant, hurry: Bool) -> Bool {
        entries.values.contains { $0.contains { $0.isDue(now, hurry: hurry) } }
    }

    /// The messages that are due now.
    ///
    /// - Parameters:
    ///   - everything: whether unchanged values are sent, too, as on a new connection.
    ///   - hurry: whether the node is stopping, so that minimum intervals do not apply.
    mutating func dueMessages(
        _ now: ContinuousClock.Instant, sid: Int64, everything: Bool = false, hurry: Bool = false
    ) throws -> [MQTTMessage] {
        var messages: [MQTTMessage] = []
        for camera in cameras {
            guard var topics = entries[camera] else { continue }
            for place in topics.indices where everything || topics[place].isDue(now, hurry: hurry) {
                if let message = try topics[place].nextMessage(now, sid: sid, timeZone: timeZone) {
                    messages.append(message)
                }
            }
            entries[camera] = topics
        }
        return messages
    }

    /// The node's own topics.
    private static func entriesOfNode(_ topics: Topics) -> [RetainedTopic] {
        [
            RetainedTopic(topic: topics.occupancy, minimum: .seconds(1), heartbeat: .seconds(60)),
            RetainedTopic(topic: topics.alarm, minimum: .zero),
        ]
    }

    /// A camera's topics in the order they are sent: status, current action, totals, whether it is switched on, and the
    /// workouts.
    private static func entries(of camera: String, _ topics: Topics) -> [RetainedTopic] {
        [
            RetainedTopic(topic: topics.camera(camera, .status), minimum: .zero),
            RetainedTopic(topic: topics.camera(camera, .state), minimum: .seconds(1), heartbeat: .seconds(60)),
            RetainedTopic(topic: topics.camera(camera, .counts), minimum: .seconds(10), expirySeconds: 172_800),
            RetainedTopic(topic: topics.camera(camera, .enabled), minimum: .zero),
            RetainedTopic(
                topic: topics.camera(camera, .workouts), minimum: .milliseconds(500), heartbeat: .seconds(60)),
        ]
    }
}

extension RetainedValue {
    /// The place of a topic among the others of its camera, or of the node.
    fileprivate var place: Int {
        switch self {
        case .status, .occupancy: 0
        case .state, .alarm: 1
        case .counts: 2
        case .enabled: 3
        case .workouts: 4
        }
    }
}
