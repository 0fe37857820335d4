import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The running node: starts the services in order and stops them in reverse order.
public struct Agent: Sendable {
    /// A service and the name that the log gives it.
    public typealias NamedService = (name: String, service: any Service)

    private let node: Node
    private let reports: CameraStatusBoard
    private let extraServices: [NamedService]
    private let realtime: Bool
    private let isPatient: Bool
    private let manager = ServiceManager()

    /// - Parameters:
    ///   - reports: Receives the current state of every camera.
    ///   - extraServices: Services that only read, such as the page. They start before the cameras.
    ///   - realtime: Plays recordings at their own speed and drops late frames, as a camera would.
    ///   - isPatient: Waits for a camera that is missing at the start. When `false`, a missing camera is an error.
    public init(
        node: Node, reports: CameraStatusBoard, extraServices: [NamedService] = [], realtime: Bool, isPatient: Bool
    ) {
        self.node = node
        self.reports = reports
        self.extraServices = extraServices
        self.realtime = realtime
        self.isPatient = isPatient
    }

    /// Whether the process must restart after ``run()`` has returned: a command or SIGHUP asked for it, and neither SIGTERM
    /// nor SIGINT has arrived since.
    public var wantsRestart: Bool { node.commands.wantsRestart && !StopRequest.hasArrived }

    /// Runs until every source has ended, one has failed, or SIGTERM or SIGINT arrives.
    ///
    /// Shutdown follows the data: the sources stop, sessions close, records are flushed, `stopped` is published.
    /// - Throws: the error that made a source or the storage fail. Everything seen until then is stored.
    public func run() async throws {
        let failures = Failures()
        let (storage, heartbeats) = (node.storage, Heartbeats())
        let health = NodeHealth(node: node, reports: reports)
        // They stop in reverse order: cameras first, commits last.
        var services: [NamedService] = [
            (
                CommitService.name,
                CommitService(node: node, storage: storage, heartbeats: heartbeats)
            ),
            (
                StorageService.name,
                StorageService(node: node, reports: reports, storage: storage, heartbeats: heartbeats)
            ),
            (
                "health",
                HealthService(
                    node: node, reports: reports, heartbeats: heartbeats, manager: manager, health: health)
            ),
            ("alarm", AlarmService(node: node)),
            ("recognition", RecognitionService(node: node, reports: reports, realtime: realtime, isPatient: isPatient)),
        ]
        if let learning = node.learning {
            services.append(("learning", LearningService(node: node, run: learning)))
        }
        if !node.configuration.routes.isEmpty {
            services.append(("delivery", DeliveryService(node: node, health: health)))
        }
        services.insert(contentsOf: extraServices, at: 1)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    // By default the name is a dump of the service, which contains every weight of the classifier.
                    ServiceGroupConfiguration.ServiceConfiguration(
                        service: FailureRecordingService(base: $0.service, failures: failures),
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: $0.name)
                },
                logger: node.logger))
        node.commands.onRestart { [manager] in
            manager.reloading()
            Task { await group.triggerGracefulShutdown() }
        }
        StopRequest.listen { [weak group] in Task { await group?.triggerGracefulShutdown() } }
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

/// Runs an action when SIGHUP asks the node to reload its configuration.
private final class HangupSignal {
    private let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())

    init(_ action: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source.setEventHandler(handler: action)
        source.resume()
    }

    func cancel() { source.cancel() }
}

/// The first error of any service. Needed because a group that shuts down gracefully may not pass it on.
private final class Failures: Sendable {
    private let value = Mutex<(any Error)?>(nil)
    var first: (any Error)? { value.withLock { $0 } }
    func add(_ error: any Error) { value.withLock { $0 = $0 ?? error } }
}

/// Wraps a service and records its error.
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
