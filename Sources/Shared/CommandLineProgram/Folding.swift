extension [String] {
    /// The words in lines of at most this many columns; a longer word keeps a line of its own.
    func filled(to width: Int) -> [String] {
        reduce(into: [""]) { lines, word in
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if last.columns + 1 + word.columns <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(word)
            }
        }
    }
}

extension String {
    /// The text in lines of at most this many columns, broken at blanks; a longer word keeps a line of its own.
    ///
    /// - Parameter keepsTogether: whether `[--file <file>]` and `--file <file>` are one word.
    package func folded(to width: Int, keepsTogether: Bool = false) -> [String] {
        var words: [String] = []
        for word in split(separator: " ").map(String.init) {
            if keepsTogether, let last = words.last, last.isOpen(before: word) {
                words[words.count - 1] += " " + word
            } else {
                words.append(word)
            }
        }
        return words.filled(to: width)
    }

    /// Whether a bracket is not closed yet, or an option waits for its value.
    private func isOpen(before next: String) -> Bool {
        if hasPrefix("[") { return !contains("]") }
        return hasPrefix("--") && !contains(" ") && next.hasPrefix("<")
    }

    /// A help text whose lines of usage are folded between options.
    func withFoldedUsage(columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            guard line.count > columns, line.lowercased().hasPrefix("usage: ") else { return [String(line)] }
            let lines = String(line).folded(to: columns - 4, keepsTogether: true)
            return [lines[0]] + lines.dropFirst().map { "    " + $0 }
        }.joined(separator: "\n")
    }
}
