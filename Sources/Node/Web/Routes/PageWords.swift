import Configuration
import Foundation
import Words

/// The words of the page in each language, as JSON that is made once.
struct PageWords: Sendable {
    private let configured: Language?
    private let files: [Language: Data]

    /// The words with the gym's own names.
    init(_ configuration: Configuration) {
        configured = Language(rawValue: configuration.display.language)
        files = Dictionary(
            uniqueKeysWithValues: Language.allCases.map { ($0, configuration.words($0).pageJSON) })
    }

    /// The words in the configured language, or in the browser's.
    ///
    /// - Parameter header: the browser's `Accept-Language`.
    func json(accepting header: String) -> Data { files[configured ?? Language(accepting: header)] ?? Data() }
}
