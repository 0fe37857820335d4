import TOMLSettings
import Words

extension Configuration {
    /// The words that people read where no browser says its language.
    package var words: Words { words(Language(rawValue: display.language) ?? .english) }

    /// The words of the page: those of the configured language, or of the browser's.
    ///
    /// - Parameter accepting: the browser's header `Accept-Language`.
    package func words(accepting header: String) -> Words {
        words(Language(rawValue: display.language) ?? Language(accepting: header))
    }

    private func words(_ language: Language) -> Words {
        Words(language, names: DisplayNames(labels: display.labels, zones: display.zones))
    }
}
