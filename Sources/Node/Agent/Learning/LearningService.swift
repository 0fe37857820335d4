import Capture
import Foundation
import Messaging
import ServiceLifecycle

/// Learns from the answers by night, and takes a better model into use between two sessions.
struct LearningService: Service {
    private static let interval = Duration.seconds(5)
    /// Cameras change seldom, and all joints are read to see it.
    private static let driftInterval = Duration.seconds(3600)

    let node: Node
    let run: LearningRun

    func run() async throws {
        defer { run.shutDown() }
        // Models are read and files moved, which blocks.
        await withTaskExecutorPreference(SerialTaskExecutor(label: "learning")) {
            await cancelWhenGracefulShutdown {
                var lookedForDrift: ContinuousClock.Instant?
                while !Task.isCancelled {
                    if lookedForDrift.map({ ContinuousClock.now - $0 >= Self.driftInterval }) ?? true {
                        run.lookForDrift()
                        lookedForDrift = .now
                    }
                    step(at: Date())
                    do { try await Task.sleep(for: Self.interval) } catch { return }
                }
            }
        }
    }

    private func step(at date: Date) {
        if node.configuration.learning.train, run.isDue(at: date) {
            do { try run.begin(at: date) } catch { node.logger.warning("the node cannot learn: \(error)") }
        }
        guard node.storage.openSessions == 0, node.workouts.open.isEmpty, let model = run.useReady() else { return }
        node.commands.restart("restarting with the model \(model), which learned from answers")
    }
}
