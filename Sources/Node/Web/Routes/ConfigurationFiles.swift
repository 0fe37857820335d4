import Configuration
import Foundation
import HTTPServing
import Synchronization

/// The configuration as it stands in the files now, which the page changes.
struct ConfigurationFiles: Sendable {
    /// Several pages may save at once.
    private static let writing = Mutex(())

    /// The configuration file.
    let path: String

    /// - Throws: ``WebFailure`` where the node runs without a configuration file.
    init(_ path: String?) throws {
        guard let path else {
            throw WebFailure(
                .conflict, "no_configuration", "The node runs without a configuration file: start it with --config.")
        }
        self.path = path
    }

    /// Reads the files.
    ///
    /// - Throws: ``WebFailure`` where they are wrong.
    func read() throws -> Configuration {
        do {
            return try Configuration(path: path, environment: ProcessInfo.processInfo.environment)
        } catch {
            throw WebFailure(.conflict, "config_invalid", "\(error)")
        }
    }

    /// Reads the files, and lets them be changed before anybody else does.
    func change<Result>(_ change: (Configuration) throws -> Result) throws -> Result {
        try Self.writing.withLock { _ in try change(read()) }
    }
}
