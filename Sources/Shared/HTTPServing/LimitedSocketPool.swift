import FlyingSocks
import Foundation
import Glibc

/// FlyingFox's event loop with a limit of connections: where no idle one makes room, one too many is told so and closed.
struct LimitedSocketPool<Base: AsyncSocketPool>: AsyncSocketPool {
    let base: Base
    let connections: ConnectionTable
    let limit: Int
    /// The response to a connection too many, with its head.
    let refusal: String

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        guard socket.isListening else { return try await base.suspendSocket(socket, untilReadyFor: events) }
        prepare(socket.file.rawValue)
        while true {
            try await base.suspendSocket(socket, untilReadyFor: events)
            guard let port = socket.port, !connections.makeRoom(port: port) else { return }
            refuse(socket)
        }
    }

    private func prepare(_ listener: Int32) {
        // Children must not inherit the socket, or the address would stay taken after a restart.
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        // The server accepts all that wait before it asks for the limit again.
        listen(listener, Int32(limit))
    }

    private func refuse(_ socket: Socket) {
        let client = accept(socket.file.rawValue, nil, nil)
        guard client >= 0 else { return }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        let bytes = Array(refusal.utf8)
        send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        // Closing with unread bytes would reset the connection, and the client would not see the refusal.
        shutdown(client, Int32(SHUT_WR))
        // A client that sends without end must not hold up the others.
        var rest = [UInt8](repeating: 0, count: 16 << 10)
        recv(client, &rest, rest.count, 0)
        close(client)
    }
}

extension Socket {
    fileprivate var isListening: Bool {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(file.rawValue, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0
    }

    fileprivate var port: UInt16? { (try? sockname())?.port }
}
