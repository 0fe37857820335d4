import CWords
import Foundation

/// What people read, in one language: the page's words, reports, messages, names in Home Assistant, and the names of
/// exercises and zones.
///
/// Each language is one file, `Words/<code>.json`. Topics and values of MQTT, files, the log and the commands speak
/// English alone.
package struct Words: Sendable, Equatable {
    /// The language.
    package let language: Language
    let file: WordsFile
    let sentences: SentenceTable
    /// Names of the gym's own for labels and zones.
    private let names: DisplayNames

    /// The words of a language.
    ///
    /// - Parameter names: names of the gym's own, which come before those of the language.
    package init(_ language: Language, names: DisplayNames = DisplayNames()) {
        self.language = language
        self.names = names
        let known = Self.known[language]
        file = known?.file ?? WordsFile()
        sentences = known?.sentences ?? SentenceTable([:])
    }

    package static func == (one: Words, other: Words) -> Bool {
        one.language == other.language && one.names == other.names
    }

    /// The words for a key of a section, with values in the place of `{names}`; the key itself where there are none.
    package func say(_ key: String, in section: Section, _ values: [String: String] = [:]) -> String {
        guard let words = file[section][key] else { return key }
        return Self.fill(words, values)
    }

    /// The same with a count: the words for `<key>_one` or `<key>_many`, with the count in the place of `{n}`.
    package func count(_ n: Int, _ key: String, in section: Section, _ values: [String: String] = [:]) -> String {
        say("\(key)_\(n == 1 ? "one" : "many")", in: section, values.merging(["n": number(Double(n))]) { $1 })
    }

    /// The name of a label: the gym's own, the language's, the model's, or the label itself in words.
    ///
    /// - Parameter model: the names that the model has for its labels.
    package func label(_ label: String, model: [String: String] = [:]) -> String {
        let words = names.labels[label] ?? file.labels[label] ?? model[label] ?? label.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The name of a zone: the gym's own, or the zone's.
    package func zone(_ zone: String) -> String { names.zones[zone] ?? zone }

    /// A sentence of the node in this language. One that the language does not have stays as it is.
    package func translated(_ sentence: String) -> String { sentences.translated(sentence, decimal: decimalMark) }

    /// Everything that the page needs, as JSON.
    package var pageJSON: Data {
        var page = file
        page.labels.merge(names.labels) { $1 }
        page.zones = names.zones
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts can always be encoded.
        return (try? encoder.encode(page)) ?? Data("{}".utf8)
    }

    /// The files, read once. A test reads each.
    private static let known: [Language: (file: WordsFile, sentences: SentenceTable)] = {
        var count: UInt = 0
        let files = UnsafeBufferPointer(start: words_files(&count), count: Int(count))
        var known: [Language: (file: WordsFile, sentences: SentenceTable)] = [:]
        for file in files {
            guard let language = Language(rawValue: String(cString: file.language)),
                let words = try? JSONDecoder().decode(
                    WordsFile.self, from: Data(bytes: file.bytes, count: Int(file.size)))
            else { continue }
            known[language] = (words, SentenceTable(words.sentences, labels: words.labels))
        }
        return known
    }()

    private static func fill(_ words: String, _ values: [String: String]) -> String {
        values.reduce(words) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}

/// Names of the gym's own.
package struct DisplayNames: Sendable, Equatable {
    /// By label, and by the name of a zone.
    package let labels, zones: [String: String]

    /// Names for labels and zones.
    package init(labels: [String: String] = [:], zones: [String: String] = [:]) {
        (self.labels, self.zones) = (labels, zones)
    }
}
