/// Who reaches the node's page.
package enum PageReach: String, Sendable, CaseIterable {
    /// Nobody: there is no page.
    case nobody
    /// Programs of the node's own machine.
    case machine
    /// Everybody in the network, with a password.
    case network
}

extension Configuration.Web {
    /// Who reaches the page.
    package var reach: PageReach { enabled ? isLocal ? .machine : .network : .nobody }

    private var isLocal: Bool { ["127.", "localhost:", "[::1]:"].contains { listen.hasPrefix($0) } }

    /// Lets these reach the page; the port stays, and so does a good address.
    package mutating func open(to wanted: PageReach) {
        enabled = wanted != .nobody
        let port = listen.split(separator: ":").last.map(String.init) ?? "8080"
        switch wanted {
        case .nobody: break
        case .machine: if !isLocal { listen = "127.0.0.1:\(port)" }
        case .network: if isLocal { listen = "0.0.0.0:\(port)" }
        }
    }
}
