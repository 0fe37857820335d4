import ArgumentParser
import CommandLineProgram
import Contract
import Foundation
import History
import Records

extension History {
    struct Cameras: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "When cameras delivered no pictures, the newest first.",
            discussion: """
                The times in which the node watched for a camera and got no pictures, and
                those in which it was switched off. The time in which the node itself was
                off is not listed. Below the table stands how much of its time each camera
                delivered pictures.

                EXAMPLES
                  spotter history cameras --last 7d
                  spotter history cameras --camera rack1 --json
                """)
        @OptionGroup var options: Options

        func run() throws {
            try options.refuseZone()
            if options.action != nil { throw ValidationError("--action does not suit cameras: leave it away.") }
            let query = try options.query()
            let zone = try options.zone(query)
            try options.checkNames(query)
            let filter = try options.rows(query)
            var away: [String: (seconds: Double, count: Int)] = [:]
            try query.absences(HistoryFilter(since: filter.since, until: filter.until, camera: filter.camera)) {
                away[$0.camera, default: (0, 0)].seconds += $0.seconds(since: filter.since, until: filter.until)
                away[$0.camera, default: (0, 0)].count += 1
            }
            let watched = try query.watchedSeconds(filter)
            let sums = away.sorted { $0.key < $1.key }.map { camera, sum in
                let share = Self.share(watched[camera] ?? 0, sum.seconds)
                return "\(camera): away for \(DurationText.of(sum.seconds)) in \(sum.count.counted("time"))\(share)."
            }
            try options.show(listing(zone), notes: sums, nothing: "No camera was away.") {
                try query.absences(filter, each: $0)
            }
        }

        /// The share of the time in which the node watched for a camera that it delivered pictures.
        private static func share(_ watched: Double, _ away: Double) -> String {
            guard watched > 0 else { return "" }
            let percent = String(format: "%.1f", 100 * watched / (watched + away))
            return ", watched \(DurationText.of(watched)): \(percent) % of its time"
        }

        private func listing(_ zone: TimeZone) -> Listing<CameraAbsence> {
            Listing(
                table: Table(["CAMERA", "AWAY FROM", "UNTIL", "TIME", "REASON"], rightAligned: [3]),
                cells: { row in
                    [
                        row.camera, Wording.local(row.start, zone),
                        row.end.map { Wording.local($0, zone) } ?? "still away",
                        DurationText.of(row.seconds()), row.reason,
                    ]
                }, csv: .absences(in: zone))
        }
    }
}
