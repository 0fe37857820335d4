/// A part of a language's file.
package enum Section: String, Sendable, CaseIterable {
    /// What every page needs.
    case page
    /// Workouts, training, questions, records.
    case workouts, training, learning, records
    /// The page on which a node is set up.
    case setup
    /// A person's report.
    case report
    /// What is sent: finished workouts and alerts.
    case messages
    /// The names that Home Assistant shows.
    case homeAssistant = "home_assistant"
}

/// One file of the folder Words.
struct WordsFile: Codable {
    /// The code of ISO 639-1, and the locale of dates and numbers, such as `de-DE`.
    var language = "", locale = ""
    /// The names of labels.
    var labels: [String: String] = [:]
    /// The gym's own names of zones; a file has none.
    var zones: [String: String] = [:]
    /// The node's sentences in English, and how the language says them; empty in English.
    var sentences: [String: String] = [:]
    private var sections: [Section: [String: String]] = [:]

    private enum CodingKeys: String, CodingKey { case language, locale, labels, zones, sentences }

    /// The name of a section as a key.
    private struct SectionKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(_ section: Section) { stringValue = section.rawValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init() {}

    /// Takes a file in which any part may be missing.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        language = try container.decodeIfPresent(String.self, forKey: .language) ?? ""
        locale = try container.decodeIfPresent(String.self, forKey: .locale) ?? ""
        labels = try container.decodeIfPresent([String: String].self, forKey: .labels) ?? [:]
        zones = try container.decodeIfPresent([String: String].self, forKey: .zones) ?? [:]
        sentences = try container.decodeIfPresent([String: String].self, forKey: .sentences) ?? [:]
        let parts = try decoder.container(keyedBy: SectionKey.self)
        for section in Section.allCases {
            sections[section] = try parts.decodeIfPresent([String: String].self, forKey: SectionKey(section))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(language, forKey: .language)
        try container.encode(locale, forKey: .locale)
        try container.encode(labels, forKey: .labels)
        try container.encode(zones, forKey: .zones)
        try container.encode(sentences, forKey: .sentences)
        var parts = encoder.container(keyedBy: SectionKey.self)
        for (section, words) in sections { try parts.encode(words, forKey: SectionKey(section)) }
    }

    /// The words of a part, by key.
    subscript(section: Section) -> [String: String] { sections[section] ?? [:] }
}
