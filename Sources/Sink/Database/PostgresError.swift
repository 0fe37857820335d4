/// What PostgreSQL or the connection to it reported.
package struct PostgresError: Error, Equatable, CustomStringConvertible {
    /// What was tried.
    package let action: String
    /// The SQLSTATE (PostgreSQL, appendix A); empty when the connection itself failed.
    package let state: String
    /// The server's or libpq's own words, in one line.
    package let reason: String

    /// Whether the data are at fault: the same rows will fail again, on every connection.
    var isFaultOfData: Bool { ["22", "23", "54"].contains(state.prefix(2)) }

    /// Whether a migration or the rights are missing.
    var isFaultOfSetUp: Bool { state.hasPrefix("42") || state.hasPrefix("3F") || state.hasPrefix("28") }

    package var description: String {
        let remedy =
            switch state.prefix(2) {
            case "": "see that PostgreSQL runs and that database.connection names it, then: spotter-sink doctor"
            case "28": "correct user and password in database.connection, or pg_hba.conf"
            case "3D": "create the database, then: spotter-sink migrate"
            case "42", "3F": "bring schema and rights up to date with: spotter-sink migrate"
            case "53": "PostgreSQL has no connections, memory or disk left: make room; the sink goes on by itself"
            default: "see PostgreSQL's own log"
            }
        return "\(action) failed (\(reason)): \(remedy)"
    }
}
