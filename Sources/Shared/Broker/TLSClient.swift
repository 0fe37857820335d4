import COpenSSL
import Foundation

/// This end of a TLS connection. It moves no bytes itself: ``BrokerLink`` does.
final class TLSClient {
    private let client: OpaquePointer

    /// - Parameter host: the name that the broker's certificate must carry where the settings name no other.
    /// - Throws: ``BrokerError`` when a file cannot be read or is of no use.
    init(_ settings: BrokerSettings.TLS, host: String) throws {
        let files = [
            ("CA certificates", settings.caFile), ("certificate", settings.certificateFile), ("key", settings.keyFile),
        ]
        for (purpose, path) in files {
            guard let path, access(path, R_OK) != 0 else { continue }
            throw BrokerError.unreadableFile(purpose: purpose, path: path, reason: String(cString: strerror(errno)))
        }
        let name = settings.serverName ?? host
        guard let client = cssl_client_new(name, settings.caFile, settings.certificateFile, settings.keyFile) else {
            throw BrokerError.library(action: "setting up TLS", reason: "no memory")
        }
        self.client = client
        if let trouble { throw BrokerError.unusableTLS(reason: trouble) }
    }

    deinit { cssl_client_free(client) }

    /// What went wrong first; `nil` when nothing did.
    var trouble: String? { cssl_client_trouble(client).map { "A TLS error occurred: \(String(cString: $0))" } }

    /// Whether the handshake is complete.
    var isAgreed: Bool { cssl_client_is_agreed(client) != 0 }

    /// Takes bytes that came from the network.
    ///
    /// - Returns: what they say, and whether the broker sends no more.
    func decrypt(_ bytes: UnsafeRawBufferPointer) -> (plain: [UInt8], isOver: Bool) {
        guard cssl_client_arrived(client, bytes.baseAddress, Int32(bytes.count)) != 0 else { return ([], true) }
        var plain: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = cssl_client_read(client, &buffer, Int32(buffer.count))
            guard count > 0 else { return (plain, count < 0) }
            plain += buffer.prefix(Int(count))
        }
    }

    /// Encrypts as much as is possible now, and removes it from `plain`. Before the handshake is complete that is nothing.
    ///
    /// - Returns: whether the connection is still of use.
    func encrypt(_ plain: inout [UInt8]) -> Bool {
        while !plain.isEmpty {
            let count = cssl_client_write(client, plain, Int32(clamping: plain.count))
            guard count > 0 else { return count == 0 }
            plain.removeFirst(Int(count))
        }
        return true
    }

    /// Says that this end sends no more.
    func end() { cssl_client_end(client) }

    /// Takes the bytes that must go to the network.
    func takeLeaving() -> [UInt8] {
        var leaving: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = cssl_client_leaving(client, &buffer, Int32(buffer.count))
            guard count > 0 else { return leaving }
            leaving += buffer.prefix(Int(count))
        }
    }
}
