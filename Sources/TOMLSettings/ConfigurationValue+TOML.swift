import TOMLKit

extension ConfigurationValue {
    init(_ value: any TOMLValueConvertible) {
        switch value.type {
        case .string: self = value.string.map { .text($0) } ?? .other
        case .int: self = value.int.map { .integer($0) } ?? .other
        case .double: self = value.double.map { .number($0) } ?? .other
        case .bool: self = value.bool.map { .flag($0) } ?? .other
        case .array: self = Self.points(value.array) ?? Self.words(value.array)
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

    /// Lists of numbers in a list; `nil` for any other list, and for an empty one.
    private static func points(_ array: TOMLArray?) -> ConfigurationValue? {
        guard let array, !array.isEmpty else { return nil }
        var points: [[Double]] = []
        for item in array {
            guard let list = item.array else { return nil }
            let numbers = list.compactMap { $0.double ?? $0.int.map(Double.init) }
            guard numbers.count == list.count else { return nil }
            points.append(numbers)
        }
        return .points(points)
    }

    private static func words(_ array: TOMLArray?) -> ConfigurationValue {
        let items = array.map { array in array.map { $0.string } } ?? [nil]
        let words = items.compactMap { $0 }
        return words.count == items.count ? .words(words) : .other
    }
}
