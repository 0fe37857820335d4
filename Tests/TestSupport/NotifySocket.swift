import Foundation

/// The service manager's end of sd_notify: a socket that records every datagram.
package final class NotifySocket {
    /// What `NOTIFY_SOCKET` is set to.
    package let path: String
    private let descriptor: Int32
    /// Every message so far, with its time of arrival.
    package private(set) var messages: [(time: Date, text: String)] = []

    /// Creates the socket `notify` in a folder.
    package init(in folder: URL) throws {
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

    /// Listens for this long, or until the messages fulfil a condition.
    @discardableResult
    package func listen(_ seconds: Double, until isEnough: ([String]) -> Bool = { _ in false }) -> Bool {
        let deadline = Date() + seconds
        while Date() < deadline {
            if isEnough(messages.map(\.text)) { return true }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 50) == 1 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { messages.append((Date(), String(decoding: bytes.prefix(count), as: UTF8.self))) }
        }
        return isEnough(messages.map(\.text))
    }

    /// How often a message arrived since a time.
    package func count(_ word: String, since: Date = .distantPast) -> Int {
        messages.count { $0.time >= since && $0.text.split(separator: "\n").contains { $0 == word } }
    }

    /// Every line since the last call. A datagram has arrived once `sendto` returns, so there is no need to wait.
    package func drain() -> [String] {
        var lines: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return lines }
            lines += String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}
