import Configuration
import Foundation

/// Checks everything a node needs, one small check after the other. Changes nothing.
public struct Doctor: Sendable {
    typealias Check = @Sendable (Configuration) -> [DiagnosticResult]

    private let path: String?
    private let environment: [String: String]
    /// The order of ``allChecks``: quick checks first, then those that measure or use the network.
    private let checks: [Check]

    /// - Parameter path: the configuration file; `nil` uses the defaults and the environment alone.
    public init(path: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.init(path: path, environment: environment, checks: Self.allChecks)
    }

    init(path: String?, environment: [String: String], checks: [Check]) {
        self.path = path
        self.environment = environment
        self.checks = checks
    }

    static let allChecks: [Check] = [
        clock, temperature, throttling, disk, database, running, classifier, plans, coaching, kernels, rate,
        permissions,
        cameras,
        decoder, sharing, broker, encryption,
    ]

    /// Runs all checks. Reports only the configuration when that cannot be read.
    ///
    /// - Parameter each: called with each result as soon as it is known.
    /// - Returns: all results.
    /// - Throws: the error of `each`, which ends the checks.
    public func findings(each: (DiagnosticResult) throws -> Void) rethrows -> [DiagnosticResult] {
        let configuration: Configuration
        do {
            configuration = try Configuration(path: path, environment: environment)
        } catch {
            // The other checks would describe a configuration that is not in use.
            let finding = DiagnosticResult.bad("configuration", error)
            try each(finding)
            return [finding]
        }
        let file: DiagnosticResult =
            path.map { .good("configuration", $0) }
            ?? .unknown("configuration", "no file; the defaults apply", advice: "copy the shipped config.toml")
        var all = [file]
        try each(file)
        for check in checks {
            let findings = check(configuration)
            all += findings
            try findings.forEach(each)
        }
        return all
    }
}
