import Foundation

extension Unicode.Scalar {
    /// Whether it is no control, no line separator, and no mark that turns the direction of the text around it.
    package var isPlain: Bool {
        switch value {
        case 0x2028...0x202E, 0x2066...0x2069: false
        default: properties.generalCategory != .control
        }
    }
}

extension String {
    /// The form by which names are compared: letter case and the normal form of Unicode do not matter, and `ß` is `ss`.
    package var foldedName: String {
        folding(options: .caseInsensitive, locale: nil).precomposedStringWithCanonicalMapping
    }
}
