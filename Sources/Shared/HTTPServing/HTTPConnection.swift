import Foundation
import NIOCore
import NIOHTTP1

/// One connection: it reads a request, has it answered in a task, and sends the answer before it reads the next one.
///
/// Everything here runs on the listener's event loop, except for the task.
final class HTTPConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        /// The next request has not arrived yet.
        case waiting
        /// Its body arrives.
        case receiving(HTTPRequestHead, HTTPHeaders, body: ByteBuffer)
        /// The answer is being made.
        case answering
        /// The client is to take a part of the answer.
        case sending
        /// It was told why the connection ends. What it still sends is thrown away: a client that is cut off while it sends
        /// does not read the answer.
        case ending
    }

    /// The bytes of an answer that are sent at once. A client that takes so many is not slow, however long the answer is.
    private static let pieceBytes = 16 << 10
    /// How long a client may take nothing before it counts as idle.
    private static let pause = TimeAmount.seconds(2)

    private let table: ConnectionTable
    private let drain: Drain
    private let answer: @Sendable (HTTPRequest) async -> HTTPAnswer
    private var context: ChannelHandlerContext?
    private var phase = Phase.waiting
    /// Parts of the next requests that were read together with this one.
    private var parts = CircularBuffer<HTTPServerRequestPart>()
    private var task: Task<Void, Never>?
    private var version = HTTPVersion.http1_1
    private var keepsAlive = true
    /// Whether it has ever sent a whole head.
    private var hasAsked = false

    /// Who is at the other end.
    private(set) var client = ClientAddress("")
    /// When the client last did what was expected of it.
    private(set) var since = NIODeadline.now()

    /// - Parameter drain: in front of the decoder.
    init(table: ConnectionTable, drain: Drain, answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer) {
        (self.table, self.drain, self.answer) = (table, drain, answer)
    }

    /// Whether it was told to end.
    var isEnding: Bool { if case .ending = phase { true } else { false } }

    /// Whether the client has to do something: to ask, to send, to take.
    var waitsForClient: Bool { if case .answering = phase { false } else { true } }

    /// Whether nothing is under way. A request or an answer is, but not for a client that is silent in the middle of it.
    func isIdle(now: NIODeadline) -> Bool {
        switch phase {
        case .waiting: true
        case .receiving, .sending: now - since > Self.pause
        case .answering, .ending: false
        }
    }

    // MARK: - The channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        client = ClientAddress(context.remoteAddress?.ipAddress ?? "")
        since = .now()
        table.add(self)
    }

    func channelInactive(context: ChannelHandlerContext) {
        table.remove(self)
        // The client has gone: nobody needs the answer.
        task?.cancel()
        parts.removeAll()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch phase {
        case .waiting, .receiving: take(unwrapInboundIn(data))
        case .answering, .sending: parts.append(unwrapInboundIn(data))
        case .ending: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder repeats its error for what comes after it.
        guard error is HTTPParserError || error is ByteToMessageDecoderError else { return close() }
        switch phase {
        case .waiting, .receiving:
            refuse(error as? HTTPParserError == .headerOverflow ? .headTooLarge : .noRequest)
        case .answering, .sending:
            // It belongs to the request after this one.
            keepsAlive = false
        case .ending: break
        }
    }

    /// Ends the connection after the answer that is under way, or at once.
    func end() {
        keepsAlive = false
        switch phase {
        case .answering, .sending: break
        case .waiting, .receiving, .ending: close()
        }
    }

    /// Ends the connection at once.
    func close() { context?.close(promise: nil) }

    // MARK: - Requests

    private func take(_ part: HTTPServerRequestPart) {
        switch (part, phase) {
        case (.head(let head), .waiting): begin(head)
        case (.body(var bytes), .receiving(let head, let headers, var body)):
            body.writeBuffer(&bytes)
            phase = .receiving(head, headers, body: body)
        case (.end, .receiving(let head, let headers, let body)):
            let data = Data(body.readableBytesView)
            respond(to: HTTPRequest(head, headers: headers, body: data, client: client))
        default: break
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        (hasAsked, since, version, keepsAlive) = (true, .now(), head.version, head.isKeepAlive)
        phase = .receiving(head, HTTPHeaders(head.headers), body: ByteBuffer())
        guard head.headers["Transfer-Encoding"].isEmpty else { return refuse(.noLength) }
        guard head.headers["Host"].count <= 1 else { return refuse(.noRequest) }
        let length = head.headers.first(name: "Content-Length").map { Int($0) ?? .max } ?? 0
        guard length <= HTTPListener.maximumBodyBytes else { return refuse(.tooLarge) }
        if head.headers.first(name: "Expect")?.lowercased() == "100-continue" {
            context?.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: version, status: .continue))), promise: nil)
        }
    }

    private func respond(to request: HTTPRequest) {
        guard let context else { return }
        phase = .answering
        // Meanwhile nothing is read but the end of the connection.
        setReading(false)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let answer = self.answer
        let work: @Sendable () async -> Void = { await Self.answer(request, answer, connection, loop) }
        task = Task(operation: work)
    }

    // MARK: - Answers

    private static func answer(
        _ request: HTTPRequest, _ answer: @Sendable (HTTPRequest) async -> HTTPAnswer,
        _ connection: NIOLoopBound<HTTPConnection>, _ loop: any EventLoop
    ) async {
        let answer = await answer(request)
        do {
            switch answer {
            case .response(let response):
                try await send(response, isHead: request.method == .HEAD, connection, loop)
            case .events(let headers, let source):
                try await withTaskCancellationHandler {
                    try await send(headers, source, connection, loop)
                } onCancel: {
                    source.close()
                }
            }
        } catch {
            // The client has gone.
            answer.abandon()
        }
        loop.execute { connection.value.finish() }
    }

    private static func send(
        _ response: HTTPResponse, isHead: Bool, _ connection: NIOLoopBound<HTTPConnection>, _ loop: any EventLoop
    ) async throws {
        var headers = response.headers
        headers["Content-Length"] = String(response.body.count)
        let sent = headers
        loop.execute { connection.value.begin(response.status, sent) }
        var rest = isHead ? Data() : response.body[...]
        do {
            while !rest.isEmpty {
                let piece = ByteBuffer(bytes: rest.prefix(pieceBytes))
                rest = rest.dropFirst(pieceBytes)
                try await loop.flatSubmit { connection.value.send(piece) }.get()
            }
        } catch {
            response.whenSent?(false)
            throw error
        }
        response.whenSent?(!isHead)
    }

    private static func send(
        _ headers: HTTPHeaders, _ source: EventSource, _ connection: NIOLoopBound<HTTPConnection>, _ loop: any EventLoop
    ) async throws {
        loop.execute { connection.value.begin(.ok, headers) }
        while let bytes = await source.next() {
            let piece = ByteBuffer(bytes: bytes)
            try await loop.flatSubmit { connection.value.send(piece) }.get()
        }
    }

    /// Begins an answer.
    private func begin(_ status: HTTPStatus, _ headers: HTTPHeaders) {
        var headers = headers
        // Without a length only the end of the connection tells an old client where the answer ends.
        if version == .http1_0, headers["Content-Length"] == nil { keepsAlive = false }
        headers["Connection"] = !keepsAlive ? "close" : version == .http1_0 ? "keep-alive" : nil
        let head = HTTPResponseHead(version: version, status: status, headers: headers.sent)
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// Sends a piece of an answer.
    ///
    /// - Returns: done once the kernel has taken it.
    private func send(_ piece: ByteBuffer) -> EventLoopFuture<Void> {
        guard let context else { return table.loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        (phase, since) = (.sending, .now())
        let sent = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: sent)
        sent.futureResult.assumeIsolated().whenSuccess { if case .sending = self.phase { self.phase = .answering } }
        return sent.futureResult
    }

    /// Ends an answer, and goes on to the next request.
    private func finish() {
        guard let context, !isEnding else { return }
        let sent = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
        guard keepsAlive else { return sent.futureResult.assumeIsolated().whenComplete { _ in self.close() } }
        (phase, since, task) = (.waiting, .now(), nil)
        while let part = parts.first {
            if case .answering = phase { return }
            parts.removeFirst()
            take(part)
        }
        if waitsForClient { setReading(true) }
    }

    /// Tells the client why the connection ends, unless it has its answer or a part of it.
    func refuse(_ failure: WebFailure) {
        switch phase {
        case .waiting where hasAsked, .answering, .sending, .ending: return close()
        case .waiting, .receiving: break
        }
        guard let context else { return }
        keepsAlive = false
        var headers = failure.response.headers
        headers["Content-Length"] = String(failure.response.body.count)
        begin(failure.status, headers)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: failure.response.body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        (phase, since) = (.ending, .now())
        drain.isOpen = true
        context.close(mode: .output, promise: nil)
    }

    private func setReading(_ isReading: Bool) {
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
}

/// Throws away what a client sends that was told why its connection ends, and closes the connection where that is too much.
final class Drain: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// What a browser may still send: it reads the answer only when it has sent all of a large file.
    private static let maximumBytes = 16 << 20

    /// Whether bytes are thrown away.
    var isOpen = false
    private var bytes = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isOpen else { return context.fireChannelRead(data) }
        bytes += unwrapInboundIn(data).readableBytes
        if bytes > Self.maximumBytes { context.close(promise: nil) }
    }
}
