import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Where a server listens.
package enum ListenPlace: Sendable {
    /// Programs of this machine and others.
    case address(ListenAddress)
    /// The file of a Unix socket. Only programs of its owner reach it, and those of root: the kernel sees to that.
    case file(String)
}

/// An HTTP server with limits of connections, time and size.
///
/// The task of an answer is cancelled when its client leaves.
package struct HTTPListener: Sendable {
    /// The most bytes of a body.
    package static let maximumBodyBytes = 64 << 10
    /// The most bytes of a request without its body.
    package static let maximumHeadBytes = 8 << 10
    /// The most headers of a request.
    package static let maximumHeaders = 64
    /// The most connections of one address. Those of this machine may be a proxy's, and have no such limit.
    package static let maximumPerAddress = 8
    /// How long a client may keep the server waiting: with a request, with its body, or by taking nothing of an answer. Then
    /// its connection is closed.
    package static let patience = Duration.seconds(10)

    /// The time between two looks for clients that are too slow.
    private static let interval = TimeAmount.milliseconds(500)
    /// What waits in the kernel for a client. Old pictures must not queue there.
    private static let sendBufferBytes = 16 << 10
    /// One thread for all servers of this process.
    private static let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    let place: ListenPlace
    let limit: Int
    let patience: Duration
    let answer: @Sendable (HTTPRequest) async -> HTTPAnswer

    /// - Parameters:
    ///   - limit: the most connections at a time.
    ///   - patience: as ``HTTPListener/patience``.
    ///   - answer: answers each request.
    package init(
        place: ListenPlace, limit: Int, patience: Duration = HTTPListener.patience,
        answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer
    ) {
        (self.place, self.limit, self.patience, self.answer) = (place, limit, patience, answer)
    }

    /// A server at an address.
    package init(
        address: ListenAddress, limit: Int, patience: Duration = HTTPListener.patience,
        answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer
    ) {
        self.init(place: .address(address), limit: limit, patience: patience, answer: answer)
    }

    /// The listener cannot start.
    package struct Failure: Error {
        /// Why, in the system's words.
        package let reason: String

        /// A failure with this reason.
        package init(_ reason: String) { self.reason = reason }
    }

    /// Listens until the task is cancelled.
    ///
    /// - Parameters:
    ///   - listening: called with the port once connections are accepted; 0 for a file.
    ///   - interrupted: called with the reason when no connections are accepted for a moment, as when the process has no
    ///     descriptor left.
    /// - Throws: ``Failure`` when the address is not available.
    package func run(
        listening: @escaping @Sendable (UInt16) async -> Void,
        interrupted: @escaping @Sendable (_ reason: String) -> Void
    ) async throws {
        let server: any Channel
        let table: NIOLoopBoundBox<ConnectionTable>
        do {
            (server, table) = try await bound(interrupted)
        } catch {
            throw Failure(Self.reason(error))
        }
        try await withTaskCancellationHandler {
            await listening(UInt16(server.localAddress?.port ?? 0))
            try await server.closeFuture.get()
        } onCancel: {
            server.close(promise: nil)
        }
        // Answers that are under way have a moment.
        try await Self.loop.flatSubmit { table.value.end() }.get()
        try Task.checkCancellation()
    }

    private func bound(
        _ interrupted: @escaping @Sendable (String) -> Void
    ) async throws -> (any Channel, NIOLoopBoundBox<ConnectionTable>) {
        let loop = Self.loop
        let table = NIOLoopBoundBox.makeBoxSendingValue(
            ConnectionTable(loop: loop, limit: limit, patience: TimeAmount(patience)), eventLoop: loop)
        let answer = answer
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(ChannelOptions.backlog, value: 256)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try Self.keepFromChildren(pipeline)
                    try pipeline.addHandlers(
                        AcceptBackoffHandler { _ in .milliseconds(100) }, AcceptErrors(table.value, interrupted))
                }
            }
            .childChannelOption(ChannelOptions.socketOption(.so_sndbuf), value: Self.sendBufferBytes)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try Self.keepFromChildren(pipeline)
                    let drain = Drain()
                    try pipeline.addHandlers(
                        drain, HTTPResponseEncoder(),
                        ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: Self.decoderLimits)),
                        HTTPConnection(table: table.value, drain: drain, answer: answer))
                }
            }
        let server: any Channel
        switch place {
        case .address(let address):
            let socket = try address.socketAddress()
            // Otherwise the body of an answer waits for the receipt of its head.
            let prepared = bootstrap.childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            server = try await prepared.bind(to: socket).get()
        case .file(let path):
            // The file gets its name last, when it listens and has its rights: whoever finds it can connect. A server that
            // crashed has left such files.
            let unready = Self.unready(path)
            unlink(unready)
            server = try await bootstrap.bind(unixDomainSocketPath: unready).get()
            guard chmod(unready, S_IRUSR | S_IWUSR) == 0, rename(unready, path) == 0 else {
                let error = IOError(errnoCode: errno, reason: unready)
                unlink(unready)
                try await server.close()
                throw error
            }
        }
        let watch = loop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
            table.value.closeSlowOnes()
        }
        server.closeFuture.whenComplete { _ in watch.cancel() }
        return (server, table)
    }

    /// The name of a socket until it is ready; as long as its own, because `sun_path` has few bytes.
    private static func unready(_ path: String) -> String { path.dropLast() + "~" }

    private static var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumHeadBytes
        limits.maxHeaderListSize = maximumHeadBytes
        limits.maxHeaderFieldCount = maximumHeaders
        return limits
    }

    /// Programs that this process starts must not inherit a connection, or the address would stay taken after a restart.
    private static func keepFromChildren(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }

    /// Makes room where a connection cannot be accepted, and tells of it.
    private final class AcceptErrors: ChannelInboundHandler {
        typealias InboundIn = any Channel
        private let table: ConnectionTable
        private let interrupted: @Sendable (String) -> Void
        private var told: NIODeadline?

        init(_ table: ConnectionTable, _ interrupted: @escaping @Sendable (String) -> Void) {
            (self.table, self.interrupted) = (table, interrupted)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Those who wait in the kernel come one after the other, and each of them may be idle, too.
            table.closeIdleOnes()
            // The accepting is tried ten times a second.
            let now = NIODeadline.now()
            if told.map({ now - $0 > .seconds(60) }) ?? true {
                told = now
                interrupted(HTTPListener.reason(error))
            }
        }
    }
}
