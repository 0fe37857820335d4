import CommandLineProgram
import Foundation

/// How a chart may be drawn: blocks and colours on a terminal; plain characters in a pipe, on an old terminal, or when
/// `NO_COLOR` is set (no-color.org).
struct ChartStyle: Equatable {
    var columns = 80
    var hasBlocks = false
    var hasColours = false

    /// The style that stdout and the environment allow.
    static func standardOutput(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> ChartStyle {
        let isTerminal = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
        let asksForNone = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return ChartStyle(
            columns: Terminal.columns(of: STDOUT_FILENO),
            hasBlocks: isTerminal && hasUTF8(environment),
            hasColours: isTerminal && !asksForNone)
    }

    /// Whether the language of the environment has all characters.
    static func hasUTF8(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        let language = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return language.uppercased().replacing("-", with: "").hasSuffix("UTF8")
    }

    /// A bar of this many columns; with blocks the last one may be partly filled.
    func bar(_ columns: Double) -> String {
        let columns = columns.isFinite ? min(max(columns, 0), 1000) : 0
        guard hasBlocks else { return String(repeating: "#", count: Int(columns.rounded())) }
        let eighths = Int((columns * 8).rounded())
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }

    /// The text in the n-th of six colours.
    func coloured(_ text: String, _ n: Int) -> String {
        guard hasColours, !text.isEmpty else { return text }
        return "\u{1B}[3\([6, 3, 2, 4, 1, 5][n % 6])m\(text)\u{1B}[0m"
    }
}

/// A bar chart: names, each with a bar and a value, all on one scale.
struct BarChart {
    struct Bar {
        let name: String
        let value: Double
        /// The value as printed.
        let text: String
        /// The number of its colour.
        let kind: Int
    }

    private enum Line {
        case heading(String)
        case bar(Bar)
    }

    private static let shortestBar = 6
    private var lines: [Line] = []

    mutating func add(heading: String) { lines.append(.heading(heading.singleLine)) }
    mutating func add(_ bar: Bar) { lines.append(.bar(bar)) }

    /// The chart's lines. If there is no room for bars, only names and values are printed.
    func text(_ style: ChartStyle) -> [String] {
        let bars = lines.compactMap { if case .bar(let bar) = $0 { bar } else { nil } }
        let names = bars.map(\.name.count).max() ?? 0
        let values = bars.map(\.text.count).max() ?? 0
        let most = bars.map(\.value).max() ?? 0
        let room = style.columns - names - values - 6
        return lines.map { line in
            switch line {
            case .heading(let text): return text
            case .bar(let bar):
                let name = "  " + bar.name.singleLine.padded(names)
                guard room >= Self.shortestBar, most > 0 else { return "\(name)  \(bar.text)" }
                let length = max(0, bar.value) / most * Double(room)
                return "\(name)  \(style.coloured(style.bar(length), bar.kind)) \(bar.text)"
            }
        }
    }
}

/// A timeline: a line for each label, a column for each span of time.
struct TimelineChart {
    struct Stretch {
        let label: String
        let start: Date
        let end: Date
    }

    let start: Date
    let end: Date
    /// The labels of the lines, from the top.
    let labels: [String]
    let stretches: [Stretch]

    /// The column of a moment, from 0 to `width`.
    private func column(of moment: Date, _ width: Int) -> Double {
        let share = moment.timeIntervalSince(start) / end.timeIntervalSince(start)
        return share.isNaN ? 0 : min(max(share, 0), 1) * Double(width)
    }

    /// The chart's lines; empty if there is no room for it.
    func text(_ style: ChartStyle, zone: TimeZone) -> [String] {
        let names = labels.map(\.count).max() ?? 0
        let width = min(style.columns - names - 3, 100)
        let length = end.timeIntervalSince(start)
        guard width >= 20, length > 0, !stretches.isEmpty else { return [] }
        let (from, to) = (Wording.clock(start, zone), Wording.clock(end, zone))
        let scale = String(repeating: " ", count: names + 2) + from.padded(width - to.count) + to
        return [scale]
            + labels.enumerated().map { number, label in
                var isFilled = [Bool](repeating: false, count: width)
                for stretch in stretches where stretch.label == label {
                    let first = column(of: stretch.start, width)
                    let last = column(of: stretch.end, width).rounded(.up) - 1
                    for column in Int(first)...Int(max(last, first)) where column < width { isFilled[column] = true }
                }
                let marks = isFilled.map { $0 ? (style.hasBlocks ? "█" : "#") : (style.hasBlocks ? "·" : ".") }
                return label.singleLine.padded(names) + "  " + style.coloured(marks.joined(), number)
            }
    }
}

extension String {
    /// The text padded with trailing spaces to this many characters.
    func padded(_ count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
