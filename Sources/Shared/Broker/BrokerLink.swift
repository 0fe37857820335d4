import CMosquitto
import Foundation

/// The connection to a broker: TCP, with TLS on it where that is set. It never waits once it is connected.
final class BrokerLink {
    /// The time to connect, once the name was looked up.
    private static let patience = Duration.seconds(10)

    /// Why a connection is over.
    struct End: Equatable {
        /// libmosquitto's error.
        let code: Int32
        let reason: String
        /// Whether it ended in the handshake of TLS, in which the broker has not seen this client's certificate.
        let isEarly: Bool
    }

    /// The socket.
    let descriptor: Int32
    private let tls: TLSClient?
    /// What TLS has not encrypted yet.
    private var plain: [UInt8] = []
    /// What the socket has not taken yet.
    private var leaving: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)
    /// Why the connection is over; `nil` while it is not.
    private(set) var end: End?

    /// Takes over a connected socket.
    init(descriptor: Int32, tls: TLSClient? = nil) {
        (self.descriptor, self.tls) = (descriptor, tls)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        // The handshake begins at once.
        advance()
    }

    deinit {
        tls?.end()
        advance()
        close(descriptor)
    }

    /// The bytes that wait for the network.
    var waitingBytes: Int { plain.count + leaving.count }

    /// Whether there is something that the socket had no room for.
    var needsRoom: Bool { !leaving.isEmpty }

    /// Reads what has arrived, at most a few kilobytes.
    func receive() -> [UInt8] {
        guard end == nil else { return [] }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            if count == 0 { finish(MOSQ_ERR_CONN_LOST, String(cString: mosquitto_strerror(MOSQ_ERR_CONN_LOST.value))) }
            if count < 0, !Self.isTransient(errno) { finish(MOSQ_ERR_ERRNO, String(cString: strerror(errno))) }
            return []
        }
        guard let tls else { return Array(buffer.prefix(count)) }
        let (bytes, isOver) = buffer.withUnsafeBytes { tls.decrypt(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        advance()
        if isOver { finishTLS() }
        return bytes
    }

    /// Sends bytes, as soon as the network takes them.
    func send(_ bytes: some Collection<UInt8>) {
        if tls == nil { leaving += bytes } else { plain += bytes }
        advance()
    }

    /// Sends what waits, as far as that is possible now.
    func advance() {
        guard end == nil else { return }
        if let tls {
            if !tls.encrypt(&plain) { finishTLS() }
            leaving += tls.takeLeaving()
        }
        while !leaving.isEmpty {
            let count = Glibc.send(descriptor, leaving, leaving.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else {
                // What had arrived before the broker hung up is still to be read, and says more.
                return
            }
            leaving.removeFirst(count)
        }
    }

    private func finishTLS() {
        let reason = tls?.trouble ?? String(cString: mosquitto_strerror(MOSQ_ERR_CONN_LOST.value))
        finish(tls?.trouble == nil ? MOSQ_ERR_CONN_LOST : MOSQ_ERR_TLS, reason)
    }

    private func finish(_ code: mosq_err_t, _ reason: String) {
        guard end == nil else { return }
        let isEarly = tls.map { !$0.isAgreed } ?? false
        // Such an end is no fault of a certificate; the other side may not speak TLS.
        let addition = isEarly && code != MOSQ_ERR_TLS ? ", before TLS was agreed on" : ""
        end = End(code: code.value, reason: reason + addition, isEarly: isEarly)
    }

    private static func isTransient(_ error: Int32) -> Bool { [EAGAIN, EWOULDBLOCK, EINTR].contains(error) }
}

extension BrokerLink {
    /// Connects to a broker. The name lookup and the TCP handshake block the calling thread.
    ///
    /// - Throws: ``BrokerError/library(action:reason:)``.
    convenience init(host: String, port: Int, tls: TLSClient?) throws {
        let action = "connecting to \(host):\(port)"
        let addresses = try Self.addresses(of: host, port, action)
        // A slow lookup must leave time to connect.
        let deadline = ContinuousClock.now + Self.patience
        var reason = "no address"
        for (index, address) in addresses.enumerated() {
            let share = max(.zero, deadline - .now) / (addresses.count - index)
            switch Self.connect(to: address, within: share) {
            case .success(let descriptor):
                self.init(descriptor: descriptor, tls: tls)
                return
            case .failure(let error): reason = String(cString: strerror(error.number))
            }
        }
        throw BrokerError.library(action: action, reason: reason)
    }

    private struct SystemError: Error { let number: Int32 }

    private struct Address {
        var family: Int32
        var bytes: [UInt8]
    }

    private static func addresses(of host: String, _ port: Int, _ action: String) throws -> [Address] {
        var wanted = addrinfo()
        wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &wanted, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard code == 0 else {
            let reason =
                switch code {
                case EAI_NONAME:
                    "no machine has the name \(host)"
                case EAI_AGAIN: "the name server does not answer for \(host)"
                default: String(cString: gai_strerror(code))
                }
            throw BrokerError.library(action: action, reason: reason)
        }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
            guard let info = entry?.pointee, let address = info.ai_addr else { return nil }
            let bytes = UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
            return Address(family: info.ai_family, bytes: Array(bytes))
        }
    }

    private static func connect(to address: Address, within time: Duration) -> Result<Int32, SystemError> {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { return .failure(SystemError(number: errno)) }
        let result = address.bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            } ?? -1
        }
        var error = result == 0 ? 0 : errno
        if error == EINPROGRESS { error = awaitConnection(descriptor, time) }
        guard error == 0 else {
            close(descriptor)
            return .failure(SystemError(number: error))
        }
        return .success(descriptor)
    }

    /// - Returns: the error; 0 when the connection stands.
    private static func awaitConnection(_ descriptor: Int32, _ time: Duration) -> Int32 {
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waited, 1, time.pollMilliseconds) > 0 else { return ETIMEDOUT }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        return error
    }
}

extension Duration {
    /// Whole milliseconds for `poll`, at least 0.
    var pollMilliseconds: Int32 {
        Int32(clamping: max(0, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))
    }
}
