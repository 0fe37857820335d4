import Records

extension ConfigurationKey {
    /// The longest name, characters. It has to fit on a screen on the wall.
    fileprivate static var maximumNameCharacters: Int64 { 40 }

    /// Names that people read, by what they name: `{ squat = "Kniebeuge" }`.
    package static func names(_ name: String, _ path: any Path<[String: String]>, suchAs example: String) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard let names = value.texts else {
                    throw SettingRefusal(reason: "expects names in quotes, such as { \(example) }")
                }
                for (key, text) in names.sorted(by: { $0.key < $1.key }) {
                    if let reason = TextRule.identifier(suchAs: "squat").check(key) {
                        throw SettingRefusal(reason: "has \"\(key)\" in it, which \(reason)")
                    }
                    guard (1...maximumNameCharacters).contains(Int64(text.count)), !text.contains(where: \.isNewline)
                    else {
                        throw SettingRefusal(
                            reason: "has for \"\(key)\" no name of 1 to \(maximumNameCharacters) characters in one line"
                        )
                    }
                }
                root[keyPath: path] = names
            },
            text: { root in
                let names = root[keyPath: path].sorted { $0.key < $1.key }
                let pairs = names.map { "\($0.key) = \(TOMLText.quoted($0.value))" }.joined(separator: ", ")
                return pairs.isEmpty ? "{}" : "{ \(pairs) }"
            },
            schema: [
                "type": "object", "propertyNames": ["pattern": "^[a-z0-9][a-z0-9_-]{0,62}$"],
                "additionalProperties": [
                    "type": "string", "minLength": 1, "maxLength": .integer(maximumNameCharacters),
                ],
            ])
    }
}
