import Foundation
import Records

/// Machine-readable output, with sorted keys so that two runs can be compared.
package enum JSON {
    /// Prints a value as indented JSON.
    package static func print(_ value: some Encodable) throws {
        Output.raw(try text(value) + "\n")
    }

    /// A value as indented JSON.
    package static func text(_ value: some Encodable) throws -> String {
        escaped(try JSONText.encode(value, isIndented: true))
    }

    /// A value as indented JSON, whose times have the offset of a zone: `2026-11-21T18:03:22.125+01:00`.
    package static func text(_ value: some Encodable, times: (String) -> String) throws -> String {
        try text(value).replacing(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/) { "\"" + times(String($0.1)) + "\"" }
    }

    /// Escapes DEL and the C1 controls, which the encoder does not escape and some terminals obey.
    package static func escaped(_ json: String) -> String {
        // C1 controls begin with the byte C2 in UTF-8.
        guard json.utf8.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return json }
        return json.unicodeScalars.reduce(into: "") { text, scalar in
            if (0x7F..<0xA0).contains(scalar.value) {
                text += String(format: "\\u%04x", scalar.value)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
