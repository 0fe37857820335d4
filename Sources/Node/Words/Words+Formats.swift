import Foundation
import Records

// The Debian package leaves out the Unicode tables of other languages, so dates and numbers are written by hand.
extension Words {
    /// The decimal mark of the language.
    var decimalMark: String { language == .german ? "," : "." }

    /// A number with the language's decimal mark, and without needless zeros: `62,5`.
    ///
    /// - Parameter digits: the most digits after the mark.
    package func number(_ value: Double, digits: Int = 0) -> String {
        let text = String(format: "%.\(max(0, digits))f", value)
        guard text.contains(".") else { return text }
        let short = text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()
        return String(short).replacing(".", with: decimalMark)
    }

    /// The numbers of a text in English with the language's decimal mark: `2.1 ± 0.1 s` as `2,1 ± 0,1 s`.
    package func numbers(in text: String) -> String { SentenceTable.numbers(in: text, decimal: decimalMark) }

    /// A length of time, of which the two largest units are enough: `4 min 5 s`.
    package func duration(_ seconds: Double) -> String {
        let units = ["days", "hours", "minutes", "seconds"].map {
            say($0, in: .page, ["n": ""]).trimmingCharacters(in: .whitespaces)
        }
        return numbers(in: DurationText.of(seconds, units: units))
    }

    /// A day, `2026-11-21`, as people write it: `21.11.2026` in German. Anything else stays.
    package func day(_ day: String) -> String {
        let parts = day.split(separator: "-").map(String.init)
        guard parts.count == 3 else { return day }
        return say("day_format", in: .report, ["y": parts[0], "m": parts[1], "d": parts[2]])
    }

    /// A moment in a time zone, to the minute: `21.11.2026 18:03`.
    package func moment(_ date: Date, in zone: TimeZone) -> String {
        let text = Timestamp.text(milliseconds: Timestamp.milliseconds(date), in: zone)
        return day(String(text.prefix(10))) + " " + text.dropFirst(11).prefix(5)
    }
}
