import COpenSSL
import Foundation

extension BrokerSettings.TLS {
    /// Until when ``caFile`` can vouch for a broker. In a bundle the certificate that expires last counts.
    ///
    /// - Returns: `nil` when no readable file holds a certificate.
    public var authorityExpiry: Date? { caFile.flatMap { Self.expiry($0, lastsLongest: true) } }

    /// When ``certificateFile`` expires. Only the first certificate in the file counts; those after it form its chain.
    ///
    /// - Returns: `nil` when no readable file holds a certificate.
    public var certificateExpiry: Date? { certificateFile.flatMap { Self.expiry($0, lastsLongest: false) } }

    private static func expiry(_ file: String, lastsLongest: Bool) -> Date? {
        let seconds = cssl_expiry(file, lastsLongest ? 1 : 0)
        return seconds < 0 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
