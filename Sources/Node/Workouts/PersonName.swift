import Foundation
import Records

/// A name that a person typed for a workout. Nobody is recognised by it.
///
/// This is the only rule for such names: the page, the command line, MQTT and an import ask it.
public struct PersonName: Sendable, Equatable {
    /// The most characters, as people count them.
    public static let maximumCharacters = 40
    /// The most bytes in UTF-8: four for each character. One character alone can have any number.
    public static let maximumBytes = TextLimit.name.bytes
    /// What a name must be, in words.
    public static let rule =
        "a name has 1 to \(maximumCharacters) visible characters and at most \(maximumBytes) bytes, in one line"

    /// The name: without blanks around it, and in one normal form, so that the same name is always the same bytes.
    public let text: String

    /// Takes a name as it was typed; `nil` for one that breaks the ``rule``.
    public init?(_ typed: String) {
        // Normalising takes time, so a text that is much too long is not looked at.
        guard typed.utf8.count <= 16 * Self.maximumBytes else { return nil }
        text = Self.normal(typed)
        guard (1...Self.maximumCharacters).contains(text.count), text.utf8.count <= Self.maximumBytes,
            text.unicodeScalars.allSatisfy(\.isPlain), text.unicodeScalars.contains(where: Self.isVisible)
        else { return nil }
    }

    /// The form in which two texts are compared as names. Also a text that is no name has one.
    public static func normal(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }

    /// The form by which names belong to one person: `Anna` and `anna` are the same member, and so are `Groß` and `GROSS`.
    public static func key(_ text: String) -> String { normal(text).foldedName }

    /// Whether two texts name the same person: letter case, blanks around them and their normal form do not matter.
    public static func areSame(_ one: String, _ other: String) -> Bool { key(one) == key(other) }

    /// The longest beginning of a text that is a name; `nil` if there is none. For texts from before this rule.
    public static func shortened(_ text: String) -> PersonName? {
        var allowed = String.UnicodeScalarView()
        for scalar in normal(text).unicodeScalars where scalar.isPlain {
            guard String(allowed).utf8.count < maximumBytes else { break }
            allowed.append(scalar)
        }
        var shortened = String(String(allowed).prefix(maximumCharacters))
        while PersonName(shortened) == nil, !shortened.isEmpty { shortened.unicodeScalars.removeLast() }
        return PersonName(shortened)
    }

    /// Whether a scalar leaves something to see by itself.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.properties.isDefaultIgnorableCodePoint, !scalar.properties.isWhitespace else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator,
            .spaceSeparator, .nonspacingMark, .enclosingMark:
            return false
        default: return scalar.value != 0x2800
        }
    }
}
