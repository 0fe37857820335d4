import ArgumentParser
import Configuration

/// Asks who reaches the node's page.
enum SetupPage {
    /// Who reaches the page.
    enum Reach: String, ExpressibleByArgument, CaseIterable {
        case nobody, machine, network
    }

    /// Asks who reaches the page.
    ///
    /// - Throws: ``Questions/NoAnswer``.
    static func choose(_ configuration: inout Configuration, _ questions: Questions) throws {
        let usual = reach(configuration.web)
        let answer = try questions.text(
            "Who may open the node's page: nobody, this machine, or everyone in the network (nobody, machine, network)",
            usual: usual.rawValue
        ) { Reach(rawValue: $0) == nil ? "Answer nobody, machine or network." : nil }
        if let wanted = Reach(rawValue: answer) { set(wanted, in: &configuration) }
    }

    static func reach(_ web: Configuration.Web) -> Reach {
        guard web.enabled else { return .nobody }
        return isLocal(web.listen) ? .machine : .network
    }

    private static func isLocal(_ listen: String) -> Bool {
        ["127.", "localhost:", "[::1]:"].contains { listen.hasPrefix($0) }
    }

    /// Sets it; the port stays, and so does a good address.
    static func set(_ wanted: Reach, in configuration: inout Configuration) {
        configuration.web.enabled = wanted != .nobody
        let port = configuration.web.listen.split(separator: ":").last.map(String.init) ?? "8080"
        switch wanted {
        case .nobody: break
        case .machine: if !isLocal(configuration.web.listen) { configuration.web.listen = "127.0.0.1:\(port)" }
        case .network: if isLocal(configuration.web.listen) { configuration.web.listen = "0.0.0.0:\(port)" }
        }
    }
}
