import Capture
import Configuration
import Foundation
import History
import ServiceLifecycle
import Sharing

/// Sends finished workouts and alerts. It waits for receivers, so it runs beside everything else, and each receiver has a
/// thread of its own: one that is slow delays no alert to another.
struct DeliveryService: Service {
    private static let interval = Duration.seconds(1)

    let node: Node
    let health: NodeHealth

    func run() async throws {
        let cancellation = Cancellation()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                // Only cancellation ends the loops.
                group.addTask(executorPreference: SerialTaskExecutor(label: "alerts")) {
                    await cancelWhenGracefulShutdown { await watch(cancellation) }
                }
                for name in node.configuration.routes.keys.sorted() {
                    group.addTask(executorPreference: SerialTaskExecutor(label: "delivery")) {
                        await cancelWhenGracefulShutdown { await deliver(to: name, cancellation) }
                    }
                }
            }
        } onGracefulShutdown: {
            cancellation.cancel()
        }
    }

    /// Looks for problems to tell of, and lets what is to be told wait for its recipients.
    private func watch(_ cancellation: Cancellation) async {
        var outbox = outbox(.unwanted, cancellation)
        var watch = AlertWatch(
            node.configuration.alertRules, standing: (try? node.store.query.standingProblems()) ?? [], now: .now,
            wall: Date())
        var stored = watch.standing
        while !Task.isCancelled {
            let wall = Date()
            if !node.configuration.alerts.isEmpty {
                let messages = watch.look(at: health.sightings(), now: .now, wall: wall)
                if !messages.isEmpty || watch.standing != stored {
                    stored = watch.standing
                    outbox.add(messages, standing: stored, at: wall)
                }
            }
            outbox.pass(at: wall, isClockRight: ClockState.now() == .synced)
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }

    /// Sends what waits for one recipient.
    private func deliver(to name: String, _ cancellation: Cancellation) async {
        var outbox = outbox(.one(name), cancellation)
        while !Task.isCancelled {
            outbox.pass(at: Date(), isClockRight: ClockState.now() == .synced)
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }

    private func outbox(_ share: Outbox.Share, _ cancellation: Cancellation) -> Outbox {
        let configuration = node.configuration
        return Outbox(
            store: node.store, routes: configuration.routes, node: node.sendingNode,
            names: node.classifier.description.displayNames,
            sender:
                Sender(
                    words: configuration.words, zone: (try? configuration.timeZone()) ?? .current,
                    cancellation: cancellation), share: share
        ) { [logger = node.logger] line in logger.warning("\(line)") }
    }
}

extension Node {
    /// How the node is named where it sends something.
    var sendingNode: SendingNode {
        configuration.sendingNode(id: store.identity.node)
    }
}

extension Configuration {
    /// How the node is named where it sends something.
    ///
    /// - Parameter id: its id, as its history has it.
    package func sendingNode(id: String) -> SendingNode {
        SendingNode(site: node.site, node: id, name: node.name.isEmpty ? id : node.name)
    }
}
