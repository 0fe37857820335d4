import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

extension History {
    struct Zones: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "How much each zone was used, and how often it changed hands.",
            discussion: """
                The page draws zones; `spotter history sets --zone` says when one was used.
                A use goes from a person's first set in a zone to their last one there. USE
                and IDLE are the medians of the uses and of the pauses between two uses on
                a day. USES/H are the uses in an hour in which the camera saw anybody.
                WAITED is the time that people stood beside a zone in use.

                EXAMPLES
                  spotter history zones --last 7d
                  spotter history zones --zone rack-1 --since 2026-11-01 --json
                """)
        @OptionGroup var options: Options

        func run() throws {
            if options.action != nil { throw ValidationError("--action does not suit zones: leave it away.") }
            let query = try options.query()
            try options.checkNames(query)
            let configured = options.configuredZones
            let (rows, count) = try query.zones(options.filter(query), configured: configured)
                .first(atMost: options.limit)
            let isWithout = try rows.isEmpty && configured.isEmpty && query.zones().isEmpty
            try options.show(listing, nothing: isWithout ? "No zone is drawn: the page Aim draws them." : nil) { body in
                try rows.forEach(body)
                return count
            }
        }

        private var listing: Listing<ZoneRow> {
            Listing(
                table: Table(
                    [
                        "CAMERA", "ZONE", "SETS", "REPS", "TIME", "DAYS", "USES", "USES/H", "USE", "IDLE", "WAITED",
                    ], rightAligned: [2, 3, 4, 5, 6, 7, 8, 9, 10]),
                cells: { row in
                    [
                        row.camera, row.zone, String(row.sets), String(row.reps), DurationText.of(row.seconds),
                        String(row.days), String(row.uses), row.usesPerHour.map { String(format: "%.1f", $0) } ?? "-",
                        row.useSeconds.map { DurationText.clock($0) } ?? "-",
                        row.idleSeconds.map { DurationText.clock($0) } ?? "-", DurationText.clock(row.waitingSeconds),
                    ]
                }, csv: .zones)
        }
    }
}
