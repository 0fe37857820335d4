import Foundation

/// Messages and progress on stderr, for the person at the terminal. Data go to stdout (``Output``).
///
/// No message can end or delay the program: if stderr accepts nothing, the message is lost.
package enum Terminal {
    /// Prints a message; it is lost when stderr accepts nothing.
    package static func print(_ text: String) { _ = offer(text) }

    /// Prints a message.
    ///
    /// - Returns: whether it was written.
    package static func offer(_ text: String) -> Bool { write(text.printable + "\n") }

    /// Prints a question; the cursor stays behind it.
    package static func ask(_ text: String) { _ = write(text.printable) }

    private static func write(_ text: String) -> Bool { Descriptor.offer(Array(text.utf8), to: STDERR_FILENO) }

    /// Whether stderr is a terminal that understands escape sequences.
    package static let isWatched = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// The width of the terminal in columns; 80 if unknown.
    package static var columns: Int { columns(of: STDERR_FILENO) }

    /// The width of the terminal behind a descriptor; 80 if unknown.
    package static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Replaces the current line; does nothing without a terminal.
    package static func showLine(_ text: String) {
        guard isWatched else { return }
        _ = write("\r\u{1B}[K" + text.singleLine.prefix(max(1, columns - 1)))
    }

    /// Empties the current line; does nothing without a terminal.
    package static func clearLine() {
        guard isWatched else { return }
        _ = write("\r\u{1B}[K")
    }
}

/// Shows the progress of work that takes longer than two seconds: a bar, percent, and time left.
package struct Progress {
    private let title: String
    private let began = ContinuousClock.now
    private var shown = ContinuousClock.now

    /// Work that begins now.
    package init(_ title: String) { self.title = title }

    /// - Parameters:
    ///   - fraction: the finished share, from 0 to 1; `nil` when the total is unknown.
    ///   - note: text to show beside it.
    package mutating func show(_ fraction: Double?, _ note: String = "") {
        let now = ContinuousClock.now
        guard Terminal.isWatched, began.duration(to: now) > .seconds(2), shown.duration(to: now) > .milliseconds(200)
        else { return }
        shown = now
        guard let fraction = fraction.map({ min(max($0, 0), 1) }), fraction > 0 else {
            return Terminal.showLine("\(title)  \(note)")
        }
        let elapsed = began.duration(to: now)
        // The first steps are slower than the others: networks are loaded, caches are cold.
        let isSure = fraction >= 0.05 && elapsed > .seconds(5)
        let left = isSure ? "\(Self.clock(elapsed / fraction - elapsed)) left" : "…"
        let filled = Int(fraction * 24)
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 24 - filled)
        Terminal.showLine("\(title) \(bar) \(Int(fraction * 100)) %  \(left)  \(note)")
    }

    /// The work is done.
    package func finish() { Terminal.clearLine() }

    private static func clock(_ duration: Duration) -> String {
        let seconds = Int(duration.components.seconds)
        return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }
}
