import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The running process: starts the services in order, and stops them the other way round.
public struct Agent: Sendable {
    private let node: Node
    /// How the cameras are doing, at any time.
    public let reports = CameraStatusBoard()
    private let realtime: Bool
    private let isPatient: Bool
    private let manager = ServiceManager()

    /// - Parameters:
    ///   - realtime: Play recordings at their own speed and drop late frames, as a camera would.
    ///   - isPatient: Wait for a camera that is not there at the start; otherwise that is an error.
    public init(node: Node, realtime: Bool, isPatient: Bool) {
        self.node = node
        self.realtime = realtime
        self.isPatient = isPatient
    }

    /// Whether the process is to begin anew after ``run()`` has returned, as a command or SIGHUP asked for.
    public var wantsRestart: Bool { node.commands.wantsRestart }

    /// Runs until every source has ended, one has failed, or SIGTERM or SIGINT asks to stop.
    ///
    /// Shutting down walks the way of the data: the sources stop, sessions close, records are flushed, `stopped` is
    /// published.
    /// - Throws: what made a source or the storage fail; everything seen until then is stored.
    public func run() async throws {
        let failures = Failures()
        let (storage, heartbeats) = (node.storage, Heartbeats())
        // They stop in the opposite order: the cameras first, the commits last.
        var services: [(name: String, service: any Service)] = [
            (CommitService.name, CommitService(node: node, storage: storage, heartbeats: heartbeats)),
            (
                StorageService.name,
                StorageService(node: node, reports: reports, storage: storage, heartbeats: heartbeats)
            ),
            (
                "health",
                HealthService(
                    node: node, reports: reports, storage: storage, heartbeats: heartbeats, manager: manager)
            ),
            ("recognition", RecognitionService(node: node, reports: reports, realtime: realtime, isPatient: isPatient)),
        ]
        if node.configuration.metrics.enabled {
            services.insert(("metrics", MetricsService(node: node, reports: reports)), at: 1)
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    // A service without a name is named after all it holds, every weight of the classifier included.
                    ServiceGroupConfiguration.ServiceConfiguration(
                        service: FailureRecordingService(base: $0.service, failures: failures),
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: $0.name)
                },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: node.logger))
        node.commands.onRestart { [manager] in
            manager.reloading()
            Task { await group.triggerGracefulShutdown() }
        }
        let hangUp = HangupSignal { [node] in node.commands.hangUp() }
        defer { hangUp.cancel() }
        do {
            try await group.run()
        } catch {
            throw failures.first ?? error
        }
        if let error = failures.first { throw error }
    }
}

/// SIGHUP: read the configuration again.
private final class HangupSignal {
    private let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())

    init(_ action: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source.setEventHandler(handler: action)
        source.resume()
    }

    func cancel() { source.cancel() }
}

/// The first error of any service, since a group that shuts down gracefully need not pass it on.
private final class Failures: Sendable {
    private let value = Mutex<(any Error)?>(nil)
    var first: (any Error)? { value.withLock { $0 } }
    func add(_ error: any Error) { value.withLock { $0 = $0 ?? error } }
}

/// A service whose error is kept.
private struct FailureRecordingService: Service {
    let base: any Service
    let failures: Failures

    func run() async throws {
        do {
            try await base.run()
        } catch {
            failures.add(error)
            throw error
        }
    }
}
