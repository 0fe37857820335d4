import TOMLKit

extension ConfigurationValue {
    init(_ value: any TOMLValueConvertible) {
        switch value.type {
        case .string: self = value.string.map { .text($0) } ?? .other
        case .int: self = value.int.map { .integer($0) } ?? .other
        case .double: self = value.double.map { .number($0) } ?? .other
        case .bool: self = value.bool.map { .flag($0) } ?? .other
        case .array: self = Self.words(value.array)
        case .table: self = Self.numbers(value.table)
        default: self = .other
        }
    }

    private static func numbers(_ table: TOMLTable?) -> ConfigurationValue {
        var numbers: [String: Int] = [:]
        for key in table?.keys ?? [] {
            guard let number = table?[key]?.int ?? table?[key]?.bool.map({ $0 ? 1 : 0 }) else { return .other }
            numbers[key] = number
        }
        return .numbers(numbers)
    }

    private static func words(_ array: TOMLArray?) -> ConfigurationValue {
        let items = array.map { array in array.map { $0.string } } ?? [nil]
        let words = items.compactMap { $0 }
        return words.count == items.count ? .words(words) : .other
    }
}
