import CTLS
import Foundation

extension MQTTSettings.TLS {
    /// Until when ``caFile`` can vouch for a broker: of a bundle, the certificate that lasts longest counts.
    ///
    /// - Returns: `nil` without a certificate in a readable file.
    public var authorityExpiry: Date? { caFile.flatMap { Self.expiry($0, lastsLongest: true) } }

    /// When ``certificateFile`` expires; what follows in the file vouches for it.
    ///
    /// - Returns: `nil` without a certificate in a readable file.
    public var certificateExpiry: Date? { certificateFile.flatMap { Self.expiry($0, lastsLongest: false) } }

    private static func expiry(_ file: String, lastsLongest: Bool) -> Date? {
        let seconds = ctls_expiry(file, lastsLongest ? 1 : 0)
        return seconds < 0 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
