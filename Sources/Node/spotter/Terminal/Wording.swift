import Contract
import Foundation
import History
import Records

/// Formats times and numbers for people.
enum Wording {
    /// `12`, or `12 6+6` with those of the left and of the right side.
    static func repetitions(of set: SetBody) -> String {
        guard set.reps > 0 else { return "-" }
        guard let left = set.leftReps, let right = set.rightReps else { return String(set.reps) }
        return "\(set.reps) \(left)+\(right)"
    }

    /// An RFC 3339 time as `2026-11-21 18:03` in a time zone.
    static func minute(_ text: String, _ zone: TimeZone) -> String { String(local(text, zone).prefix(16)) }

    /// An RFC 3339 time as `2026-11-21 18:03:22` in a time zone.
    static func local(_ text: String, _ zone: TimeZone) -> String {
        guard let milliseconds = Timestamp.milliseconds(text: text) else { return text }
        let wall = wall(milliseconds, zone)
        return wall.prefix(10) + " " + wall.suffix(8)
    }

    /// What a list says that ends at its limit: `Showing 50 of 234 (--limit 234 shows all).`
    static func shown(_ count: RowCount) -> String {
        guard count.found <= RowCount.maximum else {
            return "Showing \(count.shown) of more than \(RowCount.maximum) (--limit shows more)."
        }
        return "Showing \(count.shown) of \(count.found) (--limit \(count.found) shows all)."
    }

    /// Kilograms without needless zeros: `60`, `62.5`.
    static func load(_ kilograms: Double) -> String {
        kilograms == kilograms.rounded() ? String(Int(kilograms)) : String(kilograms)
    }

    /// `18:03:22` in a time zone.
    static func clock(_ date: Date, _ zone: TimeZone) -> String {
        String(wall(Timestamp.milliseconds(date), zone).suffix(8))
    }

    /// `2026-11-21T18:03:22` in a time zone. A formatter would take longer than reading the row.
    private static func wall(_ milliseconds: Int64, _ zone: TimeZone) -> String {
        String(Timestamp.text(milliseconds: milliseconds, in: zone).prefix(19))
    }
}
