import Records

/// Guesses the name that a mistyped one was meant to be.
package enum NearestName {
    /// Whether two names differ at most in letter case and in the normal form of Unicode.
    package static func areSame(_ one: String, _ other: String) -> Bool { one.foldedName == other.foldedName }

    /// The candidate with the fewest edits, in any letter case; `nil` if it needs more than 2 and more than a third of the
    /// name's length.
    package static func of(_ name: String, among candidates: [String]) -> String? {
        let best = candidates.map { (name: $0, distance: edits(name.foldedName, $0.foldedName)) }
            .min { $0.distance < $1.distance }
        guard let best, best.distance <= max(2, name.count / 3) else { return nil }
        return best.name
    }

    /// The Levenshtein distance: the least number of insertions, deletions and replacements.
    private static func edits(_ a: String, _ b: String) -> Int {
        let b = Array(b)
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let replaced = diagonal + (letter == b[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
