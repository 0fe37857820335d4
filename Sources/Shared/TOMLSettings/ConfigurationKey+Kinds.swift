import Records

/// How the values of one type are read from the file, written as in the file, and described as JSON Schema.
package struct SettingKind<Value>: Sendable {
    let read: @Sendable (ConfigurationValue) throws -> Value
    let text: @Sendable (Value) -> String
    let schema: [String: JSONValue]

    /// A kind of value with these functions.
    ///
    /// - Parameter read: throws ``SettingRefusal``.
    package init(
        read: @escaping @Sendable (ConfigurationValue) throws -> Value, text: @escaping @Sendable (Value) -> String,
        schema: [String: JSONValue]
    ) {
        (self.read, self.text, self.schema) = (read, text, schema)
    }
}

extension SettingKind<String> {
    /// A text that follows a rule.
    fileprivate static func text(_ rule: TextRule) -> Self {
        Self(
            read: { value in
                guard case .text(let text) = value else { throw SettingRefusal(reason: "expects text in quotes") }
                if let reason = TextRule.unseen(in: text) ?? rule.check(text) { throw SettingRefusal(reason: reason) }
                return text
            }, text: TOMLText.quoted, schema: rule.schema)
    }
}

extension SettingKind<[String]> {
    /// A list of words, none of them twice.
    fileprivate static func words(_ rule: TextRule) -> Self {
        Self(
            read: { value in
                guard let words = value.words else {
                    throw SettingRefusal(reason: "expects a list such as [\"a\", \"b\"]")
                }
                for word in words {
                    if let reason = TextRule.unseen(in: word) ?? rule.check(word) {
                        throw SettingRefusal(reason: "has \"\(word)\" in it, which \(reason)")
                    }
                }
                guard Set(words).count == words.count else { throw SettingRefusal(reason: "names something twice") }
                return words
            }, text: { "[" + $0.map(TOMLText.quoted).joined(separator: ", ") + "]" },
            schema: ["type": "array", "items": .object(rule.schema), "uniqueItems": true])
    }
}

extension SettingKind<Bool> {
    fileprivate static let flag = Self(
        read: { value in
            switch value {
            case .flag(let flag): flag
            case .text("true"), .text("1"): true
            case .text("false"), .text("0"): false
            default: throw SettingRefusal(reason: "expects true or false")
            }
        }, text: { String($0) }, schema: ["type": "boolean"])
}

extension SettingKind<Int> {
    fileprivate static func integer(
        _ range: ClosedRange<Int>, _ check: @escaping @Sendable (Int) -> String? = { _ in nil }
    ) -> Self {
        Self(
            read: { value in
                guard let number = value.integer, range.contains(number) else {
                    throw SettingRefusal(
                        reason: "expects a whole number from \(range.lowerBound) to \(range.upperBound)")
                }
                if let reason = check(number) { throw SettingRefusal(reason: reason) }
                return number
            }, text: { String($0) },
            schema: [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ])
    }
}

extension SettingKind<Double> {
    fileprivate static func number(_ range: ClosedRange<Double>) -> Self {
        Self(
            read: { value in
                guard let number = value.number, range.contains(number) else {
                    throw SettingRefusal(reason: "expects a number from \(range.lowerBound) to \(range.upperBound)")
                }
                return number
            }, text: { String($0) },
            schema: ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    }
}

extension SettingKind {
    /// One of the cases of an enumeration.
    fileprivate static func choice() -> Self where Value: RawRepresentable<String> & CaseIterable & Sendable {
        let words = Value.allCases.map(\.rawValue)
        return Self(
            read: { value in
                guard case .text(let text) = value, let one = Value(rawValue: text) else {
                    throw SettingRefusal(reason: TextRule.expected(words))
                }
                return one
            }, text: { "\"\($0.rawValue)\"" }, schema: TextRule.choice(words).schema)
    }

    /// Several cases of an enumeration.
    fileprivate static func choices<Case: RawRepresentable<String> & CaseIterable & Sendable>() -> Self
    where Value == [Case] {
        let kind = SettingKind<[String]>.words(.choice(Case.allCases.map(\.rawValue)))
        return Self(
            read: { try kind.read($0).compactMap(Case.init(rawValue:)) }, text: { kind.text($0.map(\.rawValue)) },
            schema: kind.schema)
    }
}

extension ConfigurationKey {
    /// A text that follows a rule.
    package static func text(_ name: String, _ path: any Path<String>, _ rule: TextRule = .anything) -> Self {
        Self(name, path, .text(rule))
    }

    /// A text that follows a rule; `nil` where the file has none.
    package static func text(_ name: String, _ path: any Path<String?>, _ rule: TextRule) -> Self {
        Self(name, optional: path, .text(rule))
    }

    /// A list of words: `["a", "b"]` in the file, `a,b` in the environment.
    package static func words(_ name: String, _ path: any Path<[String]>, _ rule: TextRule) -> Self {
        Self(name, path, .words(rule))
    }

    /// `true` or `false`.
    package static func flag(_ name: String, _ path: any Path<Bool>) -> Self { Self(name, path, .flag) }

    /// A whole number in a range, which `check` may refuse with a reason.
    package static func integer(
        _ name: String, _ path: any Path<Int>, _ range: ClosedRange<Int>,
        _ check: @escaping @Sendable (Int) -> String? = { _ in nil }
    ) -> Self {
        Self(name, path, .integer(range, check))
    }

    /// A whole number in a range; `nil` where the file has none.
    package static func integer(_ name: String, _ path: any Path<Int?>, _ range: ClosedRange<Int>) -> Self {
        Self(name, optional: path, .integer(range))
    }

    /// A number in a range.
    package static func number(_ name: String, _ path: any Path<Double>, _ range: ClosedRange<Double>) -> Self {
        Self(name, path, .number(range))
    }

    /// A number in a range; `nil` where the file has none.
    package static func number(_ name: String, _ path: any Path<Double?>, _ range: ClosedRange<Double>) -> Self {
        Self(name, optional: path, .number(range))
    }

    /// One of the cases of an enumeration.
    package static func choice<Case: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any Path<Case>
    ) -> Self {
        Self(name, path, .choice())
    }

    /// One of the cases of an enumeration; `nil` where the file has none.
    package static func choice<Case: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any Path<Case?>
    ) -> Self {
        Self(name, optional: path, .choice())
    }

    /// Several cases of an enumeration, none of them twice; `nil` where the file has none.
    package static func choices<Case: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any Path<[Case]?>
    ) -> Self {
        Self(name, optional: path, .choices())
    }
}
