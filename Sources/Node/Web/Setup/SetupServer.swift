import Agent
import Configuration
import Foundation
import HTTPServing
import Logging

/// Serves the page on which a node is set up that nobody has set up yet. Only programs of its machine reach it.
public struct SetupServer: Sendable {
    private let configurationPath: String
    private let environment: [String: String]
    private let logger: Logger

    /// - Parameter configurationPath: the configuration file; it is made if there is none.
    public init(
        configurationPath: String, environment: [String: String] = ProcessInfo.processInfo.environment, logger: Logger
    ) {
        // Paths that are written into it hold in every folder.
        self.configurationPath = URL(filePath: configurationPath).standardizedFileURL.path
        (self.environment, self.logger) = (environment, logger)
    }

    /// Whether nobody has set the node up. A configuration file that a person wrote is enough, unless it is the service's,
    /// which comes with the package.
    ///
    /// - Parameter hasFile: whether there is a configuration file.
    /// - Throws: the error of the configuration.
    public func isNeeded(hasFile: Bool) throws -> Bool {
        let isService = environment["INVOCATION_ID"] != nil
        return try (!hasFile || isService) && SetupFile(beside: configurationPath).isOpen(environment: environment)
    }

    /// Serves until the node is set up, or until it is told to stop.
    ///
    /// - Returns: whether it is set up, so that the program can start again as a node.
    /// - Throws: ``HTTPListener/Failure`` when the address is not available, or the error of the configuration.
    public func run() async throws -> Bool {
        let hasFile = FileManager.default.fileExists(atPath: configurationPath)
        let configuration = try Configuration(path: hasFile ? configurationPath : nil, environment: environment)
        let address = Self.address(configuration.web.listen)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let router = router(configuration, address) {
            // The answer is on its way.
            Task {
                try await Task.sleep(for: .milliseconds(300))
                end.yield(true)
            }
        }
        StopRequest.listen { end.yield(false) }
        return try await withThrowingTaskGroup(of: Bool?.self) { group in
            group.addTask {
                try await serve(router, address)
                return nil
            }
            group.addTask { try await stayAlive() }
            group.addTask { await ends.first { _ in true } ?? false }
            defer { group.cancelAll() }
            while let ended = try await group.next() {
                if let isSetUp = ended { return isSetUp }
            }
            return false
        }
    }

    private func router(
        _ configuration: Configuration, _ address: ListenAddress, done: @escaping @Sendable () -> Void
    ) -> Router {
        let pool = WorkPool()
        let folder = URL(filePath: configuration.history.path).deletingLastPathComponent()
        let access = AccessControl(
            address: address, hosts: [], passwords: PasswordFile(folder: folder), tokens: OneTimeTokens(folder: folder),
            database: configuration.history.path, pool: pool, logger: logger)
        let routes = SetupRoutes(
            file: SetupFile(beside: configurationPath), configurationPath: configurationPath, environment: environment,
            access: access, pool: pool, done: done)
        return Router(
            routes: PageRoutes(pool: pool, words: PageWords(configuration)).forSetup + routes.all,
            access: access, logger: logger)
    }

    /// The configured address if only this machine reaches it, or else its port on this machine.
    private static func address(_ listen: String) -> ListenAddress {
        let wanted = ListenAddress(listen)
        let here = wanted.flatMap { ListenAddress("127.0.0.1:\($0.port)") } ?? ListenAddress(Configuration().web.listen)
        guard let address = wanted?.isLoopback == true ? wanted : here else {
            preconditionFailure("an address in figures with a port is one")
        }
        return address
    }

    private func serve(_ router: Router, _ address: ListenAddress) async throws {
        let listener = HTTPListener(address: address, limit: WebService.maximumConnections, answer: router.answer)
        try await listener.run { port in
            let place = "http://\(address.isIPv6 ? "[\(address.host)]" : address.host):\(port)/"
            logger.notice("this node is not set up yet: open \(place) on this machine, or use spotter setup")
            ServiceManager(environment: environment).ready("not set up yet: \(place)")
        } interrupted: { reason in
            logger.warning("the page takes no new connections for a moment (\(reason))")
        }
    }

    /// Tells the service manager that the page is served.
    private func stayAlive() async throws -> Bool? {
        let manager = ServiceManager(environment: environment)
        while !Task.isCancelled {
            manager.alive()
            try await Task.sleep(for: (manager.watchdogInterval ?? .seconds(20)) / 4)
        }
        return nil
    }
}

extension HTTPListener.Failure: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String { "no page for the setup (\(reason)): use spotter setup in a terminal" }
}
