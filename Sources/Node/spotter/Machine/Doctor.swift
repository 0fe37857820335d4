import CommandLineProgram
import Agent
import ArgumentParser
import Diagnostics

/// Checks everything a node needs.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks everything a node needs: cameras, models, database, disk, clock, broker and the machine.",
        discussion: """
            Each line is good, warning, bad or unknown, and says what to do. Nothing is
            changed; the node may be running. Ends with 0 when nothing is bad, else with 1.

            EXAMPLES
              sudo spotter doctor
              spotter doctor --json | jq '.[] | select(.state == "bad")'
            """)
    @OptionGroup var configurationFile: ConfigurationFile

    @Flag(help: "Print a JSON list instead of lines.")
    var json = false

    func run() throws {
        let findings = Doctor(path: configurationFile.path).findings { finding in
            if !json { show(finding) }
        }
        if json { try JSON.print(findings) }
        if findings.contains(where: { $0.state == .bad }) { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    private static func colour(of state: DiagnosticResult.State) -> OutputColour {
        switch state {
        case .good: .green
        case .warning: .yellow
        case .bad: .red
        case .unknown: .magenta
        }
    }

    private func show(_ finding: DiagnosticResult) {
        let pad = { (text: String, width: Int) in text + String(repeating: " ", count: max(1, width - text.count)) }
        Output.line(
            pad(finding.state.rawValue, 9), in: Self.colour(of: finding.state), pad(finding.subject, 16) + finding.text)
        if let advice = finding.advice { Output.line(pad("", 25) + "→ " + advice) }
    }
}
