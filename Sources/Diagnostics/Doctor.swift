import Foundation

/// Looks at everything a node needs, one small check after the other. Changes nothing.
public struct Doctor: Sendable {
    typealias Check = @Sendable (Configuration) -> [DiagnosticResult]

    private let path: String?
    private let environment: [String: String]
    /// The network and the sizes of things come after what is quick to tell.
    private let checks: [Check]

    /// - Parameter path: the configuration file; `nil` for the defaults alone.
    public init(path: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.init(path: path, environment: environment, checks: Self.allChecks)
    }

    init(path: String?, environment: [String: String], checks: [Check]) {
        self.path = path
        self.environment = environment
        self.checks = checks
    }

    static let allChecks: [Check] = [
        clock, temperature, throttling, disk, database, running, classifier, kernels, rate, permissions, cameras,
        decoder, broker, encryption,
    ]

    /// - Parameter each: called with each finding as soon as it is there.
    /// - Returns: all findings.
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
                        "configuration", "no file; the defaults hold", advice: "copy the shipped config.toml")
            ])
            for check in checks { add(check(configuration)) }
        } catch {
            // What depends on the configuration would be told of another one.
            add([.bad("configuration", error)])
        }
        return all
    }
}
