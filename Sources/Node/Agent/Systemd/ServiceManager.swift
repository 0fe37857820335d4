import Foundation

/// Notifies the service manager of the process's state, in datagrams to its socket (sd_notify(3)).
///
/// Does nothing without a service manager. A datagram that is lost does not affect recognition.
package struct ServiceManager: Sendable {
    /// A path, or `@name` in the abstract namespace.
    private let socketPath: String?
    /// The time without a signal after which the process is killed; `nil` when there is no watchdog.
    package let watchdogInterval: Duration?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_PID` and `WATCHDOG_USEC`.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        socketPath = environment["NOTIFY_SOCKET"]
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The process does its work.
    package func ready(_ status: String) { send("READY=1\nSTATUS=\(Self.line(status))") }
    func stopping() { send("STOPPING=1\nSTATUS=stopping") }
    func status(_ text: String) { send("STATUS=\(Self.line(text))") }
    /// The process is well.
    package func alive() { send("WATCHDOG=1") }

    /// The process will restart under the same process id, and report that it is ready again.
    package func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        send(
            "RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)\nSTATUS=loading the configuration"
        )
    }

    private static func line(_ text: String) -> String { text.replacing("\n", with: " ") }

    private func send(_ message: String) {
        guard let socketPath else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(socketPath.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !path.isEmpty, path.count < room else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: path)
            if path[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        withUnsafePointer(to: address) { pointer in
            // sockaddr_un begins like sockaddr, as every socket call expects. MSG_DONTWAIT: a service manager that does
            // not read must not delay the pipeline.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
