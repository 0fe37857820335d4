import ArgumentParser
import Configuration

/// Asks who reaches the node's page.
enum SetupPage {
    /// Asks who reaches the page.
    ///
    /// - Throws: ``Questions/NoAnswer``.
    static func choose(_ configuration: inout Configuration, _ questions: Questions) throws {
        let answer = try questions.text(
            "Who may open the node's page: nobody, this machine, or everyone in the network (nobody, machine, network)",
            usual: configuration.web.reach.rawValue
        ) { PageReach(rawValue: $0) == nil ? "Answer nobody, machine or network." : nil }
        if let wanted = PageReach(rawValue: answer) { configuration.web.open(to: wanted) }
    }
}

extension PageReach: ExpressibleByArgument {}
