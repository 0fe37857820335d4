extension ConfigurationValue {
    init(_ value: TOMLValue) {
        switch value.content {
        case .text(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .number(number)
        case .flag(let flag): self = .flag(flag)
        case .list(let list): self = Self.points(list) ?? Self.words(list)
        case .table(let table): self = Self.texts(table) ?? Self.numbers(table)
        case .time: self = .other
        }
    }

    /// `nil` for any other table, and for an empty one.
    private static func texts(_ table: [(key: String, value: TOMLValue)]) -> ConfigurationValue? {
        var texts: [String: String] = [:]
        for (key, value) in table {
            guard case .text(let text) = value.content else { return nil }
            texts[key] = text
        }
        return texts.isEmpty ? nil : .texts(texts)
    }

    private static func numbers(_ table: [(key: String, value: TOMLValue)]) -> ConfigurationValue {
        var numbers: [String: Int] = [:]
        for (key, value) in table {
            switch value.content {
            case .integer(let number): numbers[key] = number
            case .flag(let flag): numbers[key] = flag ? 1 : 0
            default: return .other
            }
        }
        return .numbers(numbers)
    }

    /// Lists of numbers in a list; `nil` for any other list, and for an empty one.
    private static func points(_ list: [TOMLValue]) -> ConfigurationValue? {
        guard !list.isEmpty else { return nil }
        var points: [[Double]] = []
        for item in list {
            guard let numbers = item.list?.map(\.number), !numbers.contains(nil) else { return nil }
            points.append(numbers.compactMap { $0 })
        }
        return .points(points)
    }

    private static func words(_ list: [TOMLValue]) -> ConfigurationValue {
        let words = list.compactMap { item in
            if case .text(let text) = item.content { text } else { nil }
        }
        return words.count == list.count ? .words(words) : .other
    }
}

extension TOMLValue {
    fileprivate var number: Double? {
        switch content {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
