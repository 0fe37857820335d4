import Foundation

/// Translates the node's English sentences.
///
/// An entry is a sentence with `{placeholders}`: `Too many wrong passwords: wait {n} s.` What stands in the place of a
/// placeholder is translated as well, where it is known, and so is each part of a list. A placeholder of one letter takes
/// a number alone, and `label` takes exercises. The page does the same in
/// `sentences.js`; a test compares the two.
struct SentenceTable: Sendable {
    /// A sentence with placeholders: the texts between them, and the translation.
    private struct Pattern: Sendable {
        let pieces: [String]
        let names: [String]
        let translation: String
        /// The characters outside of placeholders. The pattern with the most of them is the closest one.
        let weight: Int
    }

    private let exact: [String: String]
    /// The names of labels, which a placeholder `label` or `labels` holds.
    private let labels: [String: String]
    /// Counts by their noun: `{n} clips`.
    private let counts: [String: String]
    private let patterns: [Pattern]

    /// - Parameters:
    ///   - sentences: English sentences, and how the language says them.
    ///   - labels: the names of exercises by label.
    init(_ sentences: [String: String], labels: [String: String] = [:]) {
        self.labels = labels
        var exact: [String: String] = [:]
        var counts: [String: String] = [:]
        var patterns: [Pattern] = []
        for (sentence, translation) in sentences {
            let key = Self.bare(sentence)
            let (pieces, names) = Self.split(key)
            if names.isEmpty {
                exact[key] = translation
            } else {
                if pieces.count == 2, pieces[0].isEmpty, pieces[1].wholeMatch(of: #/ \p{L}+/#) != nil {
                    counts[String(pieces[1].dropFirst())] = translation
                }
                let weight = pieces.reduce(0) { $0 + $1.count }
                patterns.append(Pattern(pieces: pieces, names: names, translation: translation, weight: weight))
            }
        }
        self.exact = exact
        self.counts = counts
        self.patterns = patterns.sorted { ($0.weight, $0.translation) > ($1.weight, $1.translation) }
    }

    /// The sentence in the language; as it is where the table has no entry.
    ///
    /// - Parameter decimal: the decimal mark of numbers in it.
    func translated(_ sentence: String, decimal: String) -> String {
        guard !exact.isEmpty || !patterns.isEmpty else { return sentence }
        return found(sentence, decimal) ?? parts(sentence, decimal) ?? sentence
    }

    private func found(_ sentence: String, _ decimal: String) -> String? {
        let key = Self.bare(sentence)
        if let translation = exact[key] { return Self.dressed(translation, as: sentence) }
        for pattern in patterns {
            guard let values = Self.values(of: pattern.pieces, in: key),
                zip(pattern.names, values).allSatisfy({ $0.count > 1 || $1.wholeMatch(of: Self.quantity) != nil })
            else { continue }
            let filled = zip(pattern.names, values).reduce(pattern.translation) { text, pair in
                text.replacing(
                    "{\(pair.0)}", with: pair.0.hasPrefix("label") ? labels(in: pair.1) : value(pair.1, decimal))
            }
            return Self.dressed(filled, as: sentence)
        }
        return nil
    }

    /// Sentences and clauses, one after the other; `nil` where none is known.
    private func parts(_ sentence: String, _ decimal: String) -> String? {
        for mark in ["\n", "; ", ". ", ": ", ", "] {
            let pieces = sentence.components(separatedBy: mark)
            guard pieces.count > 1 else { continue }
            let known = pieces.map { found($0, decimal) }
            guard known.contains(where: { $0 != nil }) else { continue }
            return zip(known, pieces).map { $0 ?? parts($1, decimal) ?? $1 }.joined(separator: mark)
        }
        return nil
    }

    private func labels(in value: String) -> String {
        value.replacing(/[a-z0-9_]+/) { match in
            let word = String(match.output)
            return labels[word] ?? exact[word] ?? word
        }
    }

    /// What stands in the place of a placeholder.
    private func value(_ value: String, _ decimal: String) -> String {
        if value.wholeMatch(of: Self.quantity) != nil { return Self.numbers(in: value, decimal: decimal) }
        return list(value, decimal) ?? found(value, decimal) ?? value
    }

    /// A known word, a word with an amount, or a count such as `3 clips`; `nil` for anything else.
    private func item(_ value: String, _ decimal: String) -> String? {
        if let known = exact[Self.bare(value)] { return known }
        if let (_, words, number) = value.wholeMatch(of: /(\p{L}[^\d]*) (\d.*)/)?.output,
            let known = exact[Self.bare(String(words))]
        {
            return known + " " + Self.numbers(in: String(number), decimal: decimal)
        }
        guard let (_, n, noun) = value.wholeMatch(of: /(\d+) (\p{L}+)/)?.output else { return nil }
        return counts[String(noun)]?.replacing("{n}", with: n)
    }

    /// A list whose items are all known; `nil` for anything else. An item may have an `and` of its own.
    private func list(_ value: String, _ decimal: String) -> String? {
        if let item = item(value, decimal) { return item }
        for word in [", ", " and ", " or "] {
            for range in value.ranges(of: word) {
                guard let first = item(String(value[..<range.lowerBound]), decimal),
                    let rest = list(String(value[range.upperBound...]), decimal)
                else { continue }
                let between = exact[word.trimmingCharacters(in: .whitespaces)].map { " \($0) " } ?? word
                return first + between + rest
            }
        }
        return nil
    }

    /// A number with its unit, and what may stand around it.
    private static var quantity: Regex<Substring> { /[^\p{L}]*(?:°C|s|min|ms|h|kg|MB)?[^\p{L}]*/ }

    /// A text in English with another decimal mark in its numbers.
    static func numbers(in text: String, decimal: String) -> String {
        guard decimal != "." else { return text }
        // Versions and addresses have several dots.
        return text.replacing(/\d+(?:\.\d+)+/) { match in
            let parts = match.output.split(separator: ".")
            return parts.count == 2 ? parts.joined(separator: decimal) : String(match.output)
        }
    }

    /// Without the capital letter at the beginning and the full stop at the end.
    private static func bare(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// With the capital letter and the full stop of the original.
    private static func dressed(_ translation: String, as original: String) -> String {
        var text = translation
        if original.first?.isUppercase == true { text = text.prefix(1).uppercased() + text.dropFirst() }
        if original.hasSuffix("."), !text.hasSuffix(".") { text += "." }
        if !original.hasSuffix("."), text.hasSuffix(".") { text.removeLast() }
        return text
    }

    private static func split(_ sentence: String) -> (pieces: [String], names: [String]) {
        var pieces: [String] = []
        var names: [String] = []
        var rest = sentence[...]
        while let match = rest.firstMatch(of: /\{(\w+)\}/) {
            pieces.append(String(rest[..<match.range.lowerBound]))
            names.append(String(match.output.1))
            rest = rest[match.range.upperBound...]
        }
        return (pieces + [String(rest)], names)
    }

    /// What stands between the pieces; `nil` where the text does not have them in their order. Each value takes as
    /// little as it can, the last one the rest, and none is empty.
    private static func values(of pieces: [String], in text: String) -> [String]? {
        guard let first = pieces.first, let last = pieces.last, text.hasPrefix(first), text.hasSuffix(last),
            text.count >= first.count + last.count + pieces.count - 1
        else { return nil }
        var values: [String] = []
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for piece in pieces.dropFirst().dropLast() {
            guard let range = rest.dropFirst().firstRange(of: piece) else { return nil }
            values.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        guard !rest.isEmpty else { return nil }
        return values + [String(rest)]
    }
}
