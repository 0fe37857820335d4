import TOMLSettings
import Words

extension Configuration {
    /// The words that people read where no browser says its language.
    package var words: Words { words(Language(rawValue: display.language) ?? .english) }

    /// The words in a language, with the gym's own names.
    package func words(_ language: Language) -> Words {
        Words(language, names: DisplayNames(labels: display.labels, zones: display.zones))
    }
}
