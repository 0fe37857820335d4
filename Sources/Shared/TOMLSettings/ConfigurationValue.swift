import Foundation

/// A value as read from TOML or from the environment.
package enum ConfigurationValue: Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case words([String])
    /// A table of whole numbers; flags in it are 0 and 1.
    case numbers([String: Int])
    /// A table of texts.
    case texts([String: String])
    /// Lists of numbers, such as the corners of an area.
    case points([[Double]])
    /// Any type that no setting has, such as a date or a mixed list.
    case other

    /// Converts text too, because every value from the environment is text.
    package var integer: Int? {
        switch self {
        case .integer(let value): value
        case .text(let text): Int(text)
        default: nil
        }
    }

    /// A list; `a,b` from the environment.
    package var words: [String]? {
        switch self {
        case .words(let words): words
        case .text(let text): text.split(separator: ",").map { String($0.filter { $0 != " " }) }
        default: nil
        }
    }

    /// Reads `a=1,b=0` too, as the environment has it.
    package var numbers: [String: Int]? {
        switch self {
        case .numbers(let numbers): return numbers
        case .text(let text):
            var numbers: [String: Int] = [:]
            for part in text.split(separator: ",") {
                let pair = part.split(separator: "=").map { $0.filter { $0 != " " } }
                guard pair.count == 2, let number = Int(pair[1]) else { return nil }
                numbers[pair[0]] = number
            }
            return numbers
        default: return nil
        }
    }

    /// Reads `a=x,b=y` too, as the environment has it; an empty table for `{}`.
    package var texts: [String: String]? {
        switch self {
        case .texts(let texts): return texts
        case .numbers(let numbers): return numbers.isEmpty ? [:] : nil
        case .text(let text):
            var texts: [String: String] = [:]
            for part in text.split(separator: ",") {
                let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                guard pair.count == 2, !pair[0].isEmpty else { return nil }
                texts[pair[0]] = pair[1]
            }
            return texts
        default: return nil
        }
    }

    /// Converts whole numbers and text, too.
    package var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        case .text(let text): Double(text)
        default: nil
        }
    }
}
