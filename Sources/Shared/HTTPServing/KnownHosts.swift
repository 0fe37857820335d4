import Foundation

/// The names by which a server may be asked.
///
/// With a name of its own, a foreign web page could reach the server through a visitor's browser, and read the answers (DNS
/// rebinding). An address in figures cannot be rebound.
package struct KnownHosts: Sendable {
    private let address: ListenAddress
    private let others: [String]
    private let advice: String

    /// - Parameters:
    ///   - address: what the server listens on.
    ///   - others: further names of it, such as a proxy's.
    ///   - advice: what to do about a name that is refused.
    package init(address: ListenAddress, others: [String] = [], advice: String) {
        (self.address, self.others, self.advice) = (address, others.map { $0.lowercased() }, advice)
    }

    /// Refuses other names.
    ///
    /// - Throws: ``WebFailure``.
    package func check(_ request: HTTPRequest) throws {
        guard let header = request.headers[.host], let host = HostName(header: header) else {
            throw WebFailure(.badRequest, "bad_host", "The request names no host.")
        }
        if host.isLoopback || others.contains(host.text) { return }
        if !address.isLoopback, host.isNumeric || isOwnName(host.text) { return }
        throw WebFailure(
            .misdirectedRequest, "bad_host",
            "This server does not go by the name '\(host.text.prefix(100))': \(advice).")
    }

    private func isOwnName(_ name: String) -> Bool {
        let own = ProcessInfo.processInfo.hostName.lowercased()
        let short = own.split(separator: ".").first.map(String.init) ?? own
        return [own, short, short + ".local"].contains(name)
    }
}
