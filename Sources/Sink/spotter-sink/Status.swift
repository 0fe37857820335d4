import ArgumentParser
import CommandLineProgram
import Sink

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows how complete the records of all nodes are.",
        discussion: """
            EXAMPLES
              spotter-sink status
              spotter-sink status --nodes
              spotter-sink status --json | jq '.nodes[] | select(.missing > 0)'
            """)
    @OptionGroup var file: SinkFile

    @Flag(help: "List every node.")
    var nodes = false

    @Flag(help: "Print JSON instead of lines.")
    var json = false

    func run() throws {
        let configuration = try file.read()
        let summary = try FleetSummary(
            PostgresConnection(configuration.database.connection), consumer: configuration.sink.consumer,
            shard: configuration.shard)
        if json { return try JSON.print(summary) }
        Output.line("sink      \(summary.isAtWork ? "at work" : "none is at work: start one with spotter-sink run")")
        Output.line("nodes     \(summary.nodes.count), \(summary.silent) silent for more than two minutes")
        let (missing, lost) = (summary.missing, summary.declaredLost)
        Output.line("records   \(missing) missing, \(lost) lost: declared by their nodes, or refused here")
        Output.line("rejected  \(summary.rejected) messages")
        guard nodes else { return }
        Output.line()
        var table = Table(
            ["SITE", "NODE", "STATE", "STORED TO", "MISSING", "LOST", "LAST SEEN"], rightAligned: [3, 4, 5])
        for node in summary.nodes {
            table.add([
                node.site, node.node, node.state ?? "-", String(node.prefix), String(node.missing),
                String(node.declaredLost), node.lastSeen ?? "-",
            ])
        }
        table.print()
    }
}

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks everything a sink needs: PostgreSQL, schema, rights, the hub, certificates and the clock.",
        discussion: """
            Each line is good or bad, and says what to do. Nothing is changed. Ends with 0
            when nothing is bad, else with 1.

            EXAMPLES
              spotter-sink doctor
              spotter-sink doctor --json | jq '.[] | select(.state == "bad")'
            """)
    @OptionGroup var file: SinkFile

    @Flag(help: "Print a JSON list instead of lines.")
    var json = false

    func run() throws {
        let findings = SinkDoctor(try file.read()).findings()
        if json {
            try JSON.print(findings)
        } else {
            for finding in findings {
                let state = finding.state == .good ? "good" : "bad "
                let pad = String(repeating: " ", count: max(1, 14 - finding.subject.count))
                Output.line("\(state)  \(finding.subject)\(pad)\(finding.text)")
            }
        }
        if findings.contains(where: { $0.state == .bad }) { throw ExitCode(ExitStatus.failed.rawValue) }
    }
}
