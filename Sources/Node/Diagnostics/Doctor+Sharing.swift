import Configuration
import Foundation
import Records

extension Doctor {
    /// The programs by which workouts and alerts leave the node. Says nothing where nobody gets any.
    static func sharing(_ configuration: Configuration) -> [DiagnosticResult] {
        let mails = configuration.alerts.filter { $0.kind == "mail" }
        let requests = configuration.shares.count + configuration.alerts.count - mails.count
        let all = requests + mails.count
        guard all > 0 else { return [] }
        if requests > 0, !isInstalled("curl") {
            return [.bad("sharing", "curl, which sends workouts and alerts, is missing", advice: "apt install curl")]
        }
        if let mail = mails.first(where: { access($0.sendmail, X_OK) != 0 }) {
            return [
                .bad(
                    "sharing", "\(mail.sendmail), which takes the mails of '\(mail.name)', cannot be started",
                    advice: "install a mail relay such as msmtp-mta, or correct sendmail")
            ]
        }
        let commands = [
            configuration.shares.isEmpty ? nil : "`spotter share test`",
            configuration.alerts.isEmpty ? nil : "`spotter alert test`",
        ].compactMap { $0 }
        return [
            .good("sharing", "\(all.counted("recipient")); \(commands.joined(separator: " and ")) tries them")
        ]
    }

    /// Whether a program is in the search path.
    static func isInstalled(_ program: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
