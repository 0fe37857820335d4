import Foundation

/// How a word on a terminal is set off. The numbers are those of the escape sequence "select graphic rendition".
package enum OutputColour: Int, Sendable {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33
    case magenta = 35
}

extension Output {
    /// Whether standard output may have colours: on a terminal that is not `dumb`, without `NO_COLOR` (no-color.org).
    package static let hasColours: Bool = {
        let environment = ProcessInfo.processInfo.environment
        let asksForNone = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb" && !asksForNone
    }()

    /// Prints a line that begins in a colour.
    ///
    /// - Parameters:
    ///   - first: the coloured part; `nil` as `colour` leaves it as it is.
    ///   - rest: what follows it.
    package static func line(_ first: String, in colour: OutputColour?, _ rest: String = "") {
        guard hasColours, let colour, !first.isEmpty else { return line(first + rest) }
        raw("\u{1B}[\(colour.rawValue)m\(first.printable)\u{1B}[0m\(rest.printable)\n")
    }
}
