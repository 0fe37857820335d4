import HTTPServing
import Records

/// Which state of some settings a page has read, so that saving them does not undo what another page has saved meanwhile.
struct Revision: RawRepresentable, Sendable, Codable {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    /// The revision of settings with this content.
    init(of settings: some Encodable) throws {
        rawValue = String(SHA256.hex(of: try JSONText.encode(settings).utf8).prefix(16))
    }

    /// Checks that the settings are those that the page has read.
    ///
    /// - Parameter read: what the page has read; `nil` replaces whatever is there.
    /// - Throws: ``WebFailure`` when they have changed since.
    func check(_ read: Revision?) throws {
        guard let read, read != self else { return }
        throw WebFailure(
            .conflict, "changed", "Somebody else has changed this meanwhile: load the page again, then save.")
    }
}
