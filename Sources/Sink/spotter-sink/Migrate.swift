import ArgumentParser
import CommandLineProgram
import Sink

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings the database's schema up to date.",
        discussion: """
            Run it after each installation and upgrade, as the owner of the database.
            Sinks wait until it is done, and go on by themselves. The first two examples
            are for an administrator, once; the third one works on PostgreSQL's machine.

            EXAMPLES
              spotter-sink migrate --print-roles | sudo -u postgres psql -q
              sudo -u postgres createdb --owner spotter_owner spotter
              sudo -u postgres spotter-sink migrate \\
                --connection "dbname=spotter options='-c role=spotter_owner'"
              spotter-sink migrate --connection "host=db dbname=spotter user=spotter_owner"
            """)
    @OptionGroup var file: SinkFile

    @Option(help: "libpq's connection string, with the owner as the user (default: that of the settings).")
    var connection: String?

    @Flag(help: "Print the statements that make the roles, and end.")
    var printRoles = false

    @Flag(help: "Print the statements that make the schema, and end.")
    var printSchema = false

    func run() throws {
        if printRoles { return Output.raw(SchemaFiles.roles) }
        if printSchema { return Output.raw(SchemaFiles.migrations.map(\.sql).joined(separator: "\n")) }
        let database = try PostgresConnection(connection ?? file.read().database.connection)
        let applied = try SchemaFiles.migrate(database)
        for migration in applied { Output.line("applied \(migration.name)") }
        Output.line("the schema is up to date: version \(SchemaFiles.migrations.count)")
    }
}
