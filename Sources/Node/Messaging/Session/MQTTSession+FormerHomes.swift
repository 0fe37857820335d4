import Broker
import Foundation
import History
import Records

/// What the broker still retains at a former home of the node.
struct HomeLeftOvers {
    var topics: Set<String> = []
    /// Whether another node is online there: its messages are its own.
    var isInUse = false
}

extension MQTTSession {
    /// After this time without another retained message all have arrived.
    private static let quiet = Duration.seconds(1)

    /// Remembers where the node publishes, and asks the broker what it retains at former homes.
    func lookForLeftOvers() throws {
        let topics = loop.topics
        let home = TopicHome(prefix: topics.prefix, site: topics.site, node: topics.node)
        if loop.homes.move(to: home) { writeDownHomes() }
        for home in loop.homes.former {
            leftOvers[home] = HomeLeftOvers()
            try subscribe(home.base + "#")
        }
        leftOversAt = .now
    }

    /// Whether a topic or filter belongs to a former home.
    func isLeftOver(_ topic: String) -> Bool { leftOvers.keys.contains { topic.hasPrefix($0.base) } }

    /// Takes down a message that was published at a former home.
    func receiveLeftOver(_ message: ArrivedMessage) {
        guard message.retained, !message.payload.isEmpty,
            let home = leftOvers.keys.first(where: { message.topic.hasPrefix($0.base) })
        else { return }
        leftOversAt = .now
        leftOvers[home]?.topics.insert(message.topic)
        guard message.topic == home.base + "status" else { return }
        let status = try? JSONDecoder().decode(JSONValue.self, from: Data(message.payload))
        let state = status?["state"]?.text.flatMap(StatusPayload.State.init(rawValue:))
        leftOvers[home]?.isInUse = state == .online || state == .starting
    }

    /// Removes what the broker retains at former homes, once all of it has arrived. A home with nothing is forgotten; one
    /// with something is looked at again in the next connection.
    func clearLeftOvers(_ now: ContinuousClock.Instant) {
        guard let since = leftOversAt, now - since > Self.quiet,
            !subscriptions.values.contains(where: { isLeftOver($0.topic) })
        else { return }
        leftOversAt = nil
        for (home, found) in leftOvers.sorted(by: { $0.key.base < $1.key.base }) {
            if found.isInUse {
                loop.log(.warning, "another node is online at \(home.base), so what it retains there stays")
            } else if found.topics.isEmpty {
                loop.homes.forget(home)
                writeDownHomes()
            } else {
                for topic in found.topics.sorted() { send(MQTTMessage(topic: topic, payload: "", retain: true)) }
                loop.log(
                    .info, "\(found.topics.count) retained messages of the former home \(home.base) are removed")
            }
        }
    }

    /// The broker does not let this node read at a former home.
    func refusedLeftOvers(_ filter: String) {
        guard let home = leftOvers.keys.first(where: { filter.hasPrefix($0.base) }) else { return }
        leftOvers[home] = nil
        loop.log(
            .warning,
            "the broker does not let this node read \(filter), where it was before: remove what is left there with "
                + "'spotter mqtt purge --site \(home.site) --node \(home.node)' as a user who may")
    }

    private func writeDownHomes() {
        do {
            try loop.store.write(loop.homes.note, as: .homes)
        } catch {
            loop.complain("where the node publishes could not be stored: \(error)", key: "homes")
        }
    }
}
