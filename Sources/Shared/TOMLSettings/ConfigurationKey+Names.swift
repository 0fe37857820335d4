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
                    if let reason = TextRule.identifier.check(key) {
                        throw SettingRefusal(reason: "has \"\(key)\" in it, which \(reason)")
                    }
                    if let reason = TextRule.unseen(in: text) {
                        throw SettingRefusal(reason: "has for \"\(key)\" a name that \(reason)")
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
            text: { TOMLText.inlineTable($0[keyPath: path].mapValues(TOMLText.quoted)) },
            schema: [
                "type": "object", "propertyNames": .object(TextRule.identifier.schema),
                "additionalProperties": [
                    "type": "string", "minLength": 1, "maxLength": .integer(maximumNameCharacters),
                ],
            ])
    }
}
