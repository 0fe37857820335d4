import Foundation
import Records

/// Signs a webhook as the specification Standard Webhooks says (standardwebhooks.com, version 1), for which receivers
/// have libraries: HMAC-SHA256 over the id, the time and the body, joined by points.
package enum WebhookSignature {
    /// The headers of a signed request.
    ///
    /// - Parameters:
    ///   - id: the same for every attempt, so that the receiver can drop a second one.
    ///   - secret: `whsec_` and Base64, or any other text, whose bytes are the key.
    package static func headers(id: String, body: String, at date: Date, secret: String?) -> [HTTPRequest.Header] {
        let time = String(Int(date.timeIntervalSince1970))
        let unsigned: [HTTPRequest.Header] = [.init("webhook-id", id), .init("webhook-timestamp", time)]
        guard let secret else { return unsigned }
        let code = HMACSHA256.code(of: Array("\(id).\(time).\(body)".utf8), key: key(secret))
        return unsigned + [.init("webhook-signature", "v1," + Data(code).base64EncodedString())]
    }

    private static func key(_ secret: String) -> [UInt8] {
        let prefix = "whsec_"
        if secret.hasPrefix(prefix), let key = Data(base64Encoded: String(secret.dropFirst(prefix.count))) {
            return Array(key)
        }
        return Array(secret.utf8)
    }
}
