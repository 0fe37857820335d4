/// The languages in which Spotter speaks to people. The raw value is the code of ISO 639-1.
package enum Language: String, Sendable, CaseIterable, Codable {
    /// German.
    case german = "de"
    /// English, which also stands where nothing else was asked for.
    case english = "en"

    /// The first language of a browser's wishes that there is, by their weight; English for none.
    ///
    /// - Parameter header: the value of `Accept-Language`, such as `de-AT,de;q=0.9,en;q=0.5`.
    package init(accepting header: String) {
        let wishes = header.split(separator: ",").enumerated().compactMap { place, part -> (Language, Double, Int)? in
            let fields = part.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let code = fields.first?.split(separator: "-").first,
                let language = Language(rawValue: code.lowercased())
            else { return nil }
            let weight = fields.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return weight > 0 ? (language, weight, place) : nil
        }
        self = wishes.max { ($0.1, -$0.2) < ($1.1, -$1.2) }?.0 ?? .english
    }
}
