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
    private var page: [String: String] = [:]
    private var workouts: [String: String] = [:]
    private var training: [String: String] = [:]
    private var learning: [String: String] = [:]
    private var records: [String: String] = [:]
    private var setup: [String: String] = [:]
    private var report: [String: String] = [:]
    private var messages: [String: String] = [:]
    private var homeAssistant: [String: String] = [:]
    /// The node's sentences in English, and how the language says them; empty in English.
    var sentences: [String: String] = [:]

    private enum CodingKeys: String, CodingKey {
        case language, locale, labels, zones, page, workouts, training, learning, records, setup, report, messages
        case homeAssistant = "home_assistant"
        case sentences
    }

    init() {}

    /// Takes a file in which any part may be missing.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ standard: Value) throws -> Value {
            try container.decodeIfPresent(Value.self, forKey: key) ?? standard
        }
        language = try read(.language, "")
        locale = try read(.locale, "")
        labels = try read(.labels, [:])
        page = try read(.page, [:])
        workouts = try read(.workouts, [:])
        training = try read(.training, [:])
        learning = try read(.learning, [:])
        records = try read(.records, [:])
        setup = try read(.setup, [:])
        report = try read(.report, [:])
        messages = try read(.messages, [:])
        homeAssistant = try read(.homeAssistant, [:])
        sentences = try read(.sentences, [:])
    }

    /// The words of a part, by key.
    subscript(section: Section) -> [String: String] {
        switch section {
        case .page: page
        case .workouts: workouts
        case .training: training
        case .learning: learning
        case .records: records
        case .setup: setup
        case .report: report
        case .messages: messages
        case .homeAssistant: homeAssistant
        }
    }
}
