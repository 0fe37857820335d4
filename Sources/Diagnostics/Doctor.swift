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
        decoder, broker, encryption,
    ]

    /// Runs all checks. Reports only the configuration when that cannot be read.
    ///
    /// - Parameter each: called with each result as soon as it is known.
    /// - Returns: all results.
    public func findings(each: (DiagnosticResult) -> Void) -> [DiagnosticResult] {
        var all: [DiagnosticResult] = []
        func add(_ findings: [DiagnosticResult]) {
            all += findings
            findings.forEach(each)
        }
        do {
            let configuration = try Configuration(path: path, environment: environment)
            add([
                path.map { .good("configuration", $0) }
                    ?? .unknown(
                        "configuration", "no file; the defaults apply", advice: "copy the shipped config.toml")
            ])
            for check in checks { add(check(configuration)) }
        } catch {
            // The other checks would describe a configuration that is not in use.
            add([.bad("configuration", error)])
        }
        return all
    }
}
