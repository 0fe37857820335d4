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

    package var description: String {
        "\(action) failed (\(reason)): \(remedy)"
    }

    private var remedy: String {
        if state == "42501" {
            return "connect as another role: spotter_owner migrates, spotter_sink stores, a spotter_reader reads"
        }
        return switch state.prefix(2) {
        case "": connectionRemedy
        case "28": "correct user and password in database.connection, or pg_hba.conf"
        case "3D": "create the database, then run spotter-sink migrate as its owner"
        case "42", "3F": "bring the schema up to date: run spotter-sink migrate as its owner"
        case "53": "PostgreSQL has no connections, memory or disk left: make room; the sink goes on by itself"
        default: "see PostgreSQL's own log"
        }
    }

    /// A failed connection has no SQLSTATE, so the words decide. Where the server speaks another language, the last
    /// remedy has to do.
    private var connectionRemedy: String {
        let remedies = [
            ("not permitted to log in", "allow the role to log in: ALTER ROLE … LOGIN"),
            ("role \"", "make the roles as an administrator: spotter-sink migrate --print-roles | psql"),
            ("does not exist", "create the database, then run spotter-sink migrate as its owner"),
            ("Peer authentication", "run this as the user of that name: sudo -u spotter_sink spotter-sink …"),
            ("no password supplied", "put the password into the file that PGPASSFILE names; its mode must be 0600"),
            ("password authentication", "correct the password in the file that PGPASSFILE names"),
            ("pg_hba.conf", "allow this user and address in PostgreSQL's pg_hba.conf"),
            ("starting up", "wait; PostgreSQL will soon be ready"),
            ("too many", "raise max_connections, or end some that nobody needs"),
        ]
        return remedies.first { reason.contains($0.0) }?.1
            ?? "see that PostgreSQL runs and that database.connection names it; spotter-sink doctor checks both"
    }
}
