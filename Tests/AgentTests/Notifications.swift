import Foundation

/// The service manager's end of the notification socket.
final class Notifications {
    let path: String
    private let descriptor: Int32

    init(in folder: URL) throws {
        path = folder.appending(path: "notify").path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let isBound = withUnsafePointer(to: address) { pointer in
            // sockaddr_un is laid out as a sockaddr, as every socket call expects.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(descriptor) }

    /// Every line since the last call. A datagram has arrived once `sendto` returns, so there is no need to wait.
    func take() -> [String] {
        var lines: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return lines }
            lines += String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}
