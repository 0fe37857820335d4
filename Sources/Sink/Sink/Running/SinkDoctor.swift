import Broker
import Foundation

/// Checks everything a sink needs.
package struct SinkDoctor {
    /// The result of one check.
    package struct Finding: Encodable, Sendable, Equatable {
        /// Whether something is as it should be.
        package enum State: String, Encodable, Sendable { case good, bad }

        /// What was checked.
        package let subject: String
        /// The verdict, in the words of `spotter doctor`.
        package let state: State
        /// What was found, and what to do about it.
        package let text: String
    }

    private let configuration: SinkConfiguration

    /// A doctor for a sink with these settings.
    package init(_ configuration: SinkConfiguration) { self.configuration = configuration }

    /// Runs all checks.
    package func findings() -> [Finding] { database() + [hub(), certificates(), clock()].compactMap { $0 } }

    private func database() -> [Finding] {
        let connection: PostgresConnection
        do {
            connection = try PostgresConnection(configuration.database.connection)
        } catch {
            return [Finding(subject: "postgresql", state: .bad, text: "\(error)")]
        }
        let version = connection.serverVersion
        return [
            Finding(subject: "postgresql", state: .good, text: "version \(version / 10_000).\(version % 10_000)"),
            check("schema", "version \(SchemaFiles.migrations.count)") { try SchemaFiles.checkVersion(connection) },
            check("rights", "the user may write") {
                try connection.execute(SchemaFiles.incoming, "making the temporary tables")
                try connection.execute("BEGIN", "beginning")
                defer { try? connection.execute("ROLLBACK", "rolling back") }
                _ = try connection.rows("SELECT * FROM spotter.store_batch()", [], "storing nothing")
                _ = try connection.rows("SELECT spotter.ensure_partitions()", [], "making partitions")
                _ = try connection.rows("SELECT spotter.refresh_days(0)", [], "computing sums")
            },
            check("time zones", "PostgreSQL knows those of all nodes") {
                let problems = try SinkDatabase.zoneProblems(connection)
                guard problems.isEmpty else { throw UnknownZones(problems: problems) }
            },
            check("durability", "a committed batch survives a power cut") {
                for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
                    let value = try connection.rows("SHOW \(setting)", [], "reading \(setting)").first?.first ?? nil
                    guard value != "off" else { throw Unsafe(setting: setting) }
                }
            },
        ]
    }

    private struct Unsafe: Error, CustomStringConvertible {
        let setting: String
        var description: String {
            "\(setting) is off, so a power cut loses records that are acknowledged: switch it on in postgresql.conf"
        }
    }

    private struct UnknownZones: Error, CustomStringConvertible {
        let problems: [SinkDatabase.ZoneProblem]
        var description: String {
            let named = problems.prefix(3).map(\.description).joined(separator: "; ")
            return problems.count > 3 ? "\(named); and \(problems.count - 3) more" : named
        }
    }

    private func hub() -> Finding {
        check("hub", "\(configuration.mqtt.host):\(configuration.mqtt.port) answers and allows reading") {
            do {
                let probe = try MQTTProbe(configuration.broker, patience: .seconds(5))
                defer { probe.disconnect() }
                for leaf in ["rec/#", "status", "info", "health"] {
                    try probe.subscribe("\(configuration.mqtt.prefix)/v1/+/+/\(leaf)")
                }
                _ = try probe.messages(within: .seconds(1))
            } catch let refusal as MQTTProbe.Refusal {
                throw HubError.refused(code: refusal.code, reason: refusal.reason)
            }
        }
    }

    private func certificates() -> Finding? {
        guard let tls = configuration.broker.tls else { return nil }
        let dates = [("CA", tls.authorityExpiry), ("own certificate", tls.certificateExpiry)]
        let soon = dates.compactMap { name, date in date.map { (name, $0) } }.min { $0.1 < $1.1 }
        guard let (name, date) = soon else { return nil }
        let days = Int(date.timeIntervalSinceNow / 86_400)
        return Finding(
            subject: "certificates", state: days >= 14 ? .good : .bad,
            text: days >= 14
                ? "valid for \(days.counted("day"))"
                : "the \(name) ends in \(days.counted("day")): renew it; the sink reads it again")
    }

    private func clock() -> Finding? {
        let isSet = Date().timeIntervalSince1970 > 1_700_000_000
        return Finding(
            subject: "clock", state: isSet ? .good : .bad,
            text: isSet ? Date().formatted(.iso8601) : "this machine's clock is years behind: set it")
    }

    private func check(_ subject: String, _ success: String, _ work: () throws -> Void) -> Finding {
        do {
            try work()
            return Finding(subject: subject, state: .good, text: success)
        } catch {
            return Finding(subject: subject, state: .bad, text: "\(error)")
        }
    }
}
