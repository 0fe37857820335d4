import CommandLineProgram
import Foundation
import History

/// A heat map of the week: a line for each weekday, a column for each hour. Shades where the terminal has them, else digits.
struct HeatMap {
    /// The weekdays from Monday.
    static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let shades = ["░", "▒", "▓", "█"]
    private static let nobody = "·"

    private let people: [[Double?]]

    /// - Parameter rows: 168 hours, beginning with Monday.
    init(_ rows: [OccupancyRow]) {
        people = (1...7).map { weekday in
            (0..<24).map { hour in rows.first { $0.weekday == weekday && $0.hour == hour }?.people }
        }
    }

    /// The map's lines, 76 columns wide, and its legend.
    func text(_ style: ChartStyle) -> [String] {
        let isShaded = style.hasBlocks && style.hasColours
        let most = people.joined().compactMap { $0 }.max() ?? 0
        let head = "    " + (0..<24).map { (hour: Int) -> String in hour < 10 ? " 0\(hour)" : " \(hour)" }.joined()
        let lines = zip(Self.days, people).map { day, hours in
            day + " " + hours.map { " " + (isShaded ? shade($0, most, style) : Self.digits($0)) }.joined()
        }
        return [head] + lines + [
            "", isShaded ? legend(most, style) : "People on average; .5 is a half. -: not watched.",
        ]
    }

    /// Two characters: `.4`, ` 3`, `12`.
    private static func digits(_ people: Double?) -> String {
        guard let people else { return " -" }
        if people < 0.05 { return " 0" }
        if people < 0.95 { return String(format: ".%d", Int((people * 10).rounded())) }
        return String(format: "%2d", min(99, Int(people.rounded())))
    }

    private func shade(_ people: Double?, _ most: Double, _ style: ChartStyle) -> String {
        guard let people else { return "  " }
        guard people >= 0.05, most > 0 else { return " " + Self.nobody }
        let level = min(Self.shades.count - 1, Int(people / most * Double(Self.shades.count)))
        return style.coloured(Self.shades[level] + Self.shades[level], 0)
    }

    private func legend(_ most: Double, _ style: ChartStyle) -> String {
        let steps = Self.shades.indices.map { level in
            let to = OccupancyRow.text(most * Double(level + 1) / Double(Self.shades.count))
            return style.coloured(Self.shades[level], 0) + " up to \(to)"
        }
        return "People on average: \(Self.nobody) nobody, " + steps.joined(separator: ", ") + "; blank: not watched"
    }
}
