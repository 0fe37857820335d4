import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

extension History {
    struct Alarms: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "When somebody lay on the floor and did not move, the newest first.",
            discussion: """
                Alarms are raised where [alarm] of the configuration says so. Those that are
                open now are listed by spotter alarm.

                EXAMPLES
                  spotter history alarms --last 4w
                  spotter history alarms --camera rack1 --csv
                """)
        @OptionGroup var options: Options

        func run() throws {
            if options.action != nil { throw ValidationError("--action does not suit alarms: leave it away.") }
            let query = try options.query()
            let zone = try options.zone(query)
            try options.checkNames(query)
            let filter = try options.rows(query)
            try options.show(Self.listing(zone), notes: [], nothing: "No alarm was raised.") {
                try query.alarms(filter, each: $0)
            }
        }

        /// The columns of alarms.
        static func listing(_ zone: TimeZone) -> Listing<Alarm> {
            func local(_ moment: Date) -> String { Wording.local(Timestamp.text(moment), zone) }
            return Listing(
                table: Table(["CAMERA", "ZONE", "CAUSE", "LAY FROM", "RAISED", "UP AGAIN", "ACKNOWLEDGED", "ALARM"]),
                cells: { row in
                    [
                        row.camera, row.zone ?? "-", row.cause.rawValue, local(row.since),
                        local(row.raised), row.ended.map(local) ?? "-",
                        row.acknowledged.map(local) ?? "-", TypedId.short(row.id),
                    ]
                }, csv: .alarms(in: zone))
        }
    }
}
