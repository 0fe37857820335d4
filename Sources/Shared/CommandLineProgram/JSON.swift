import Foundation
import Records

/// Machine-readable output, with sorted keys so that two runs can be compared.
package enum JSON {
    /// Prints a value as indented JSON.
    package static func print(_ value: some Encodable) throws {
        Output.raw(try text(value) + "\n")
    }

    /// A value as indented JSON.
    ///
    /// - Parameter zone: the time zone of its times; `nil` for UTC.
    package static func text(_ value: some Encodable, zone: TimeZone? = nil) throws -> String {
        escaped(try JSONText.encode(value, isIndented: true, zone: zone))
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
