import Broker
import Foundation
import Synchronization
import Testing

/// What passes between libmosquitto and the process when the connection is at its end.
@Suite struct LibraryLinkTests {
    /// A broker that is only a socket.
    private struct Scene {
        let client: MQTTClient
        let broker: Int32
        let wake: SelfPipe

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            wake = try SelfPipe()
            broker = ends[1]
            client = try MQTTClient(
                settings: BrokerSettings(), clientId: "test", will: nil, version: .v311, session: .none)
            try client.connect(socket: ends[0], keepaliveSeconds: 60)
        }

        /// Sends what the socket takes.
        func send(_ bytes: [UInt8]) {
            _ = Glibc.send(broker, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }

        func turn() -> [MQTTClient.Event] { client.turn(timeout: .milliseconds(50), wake: wake) }
    }

    /// A message of 100 bytes on the topic `a`.
    private static let message: [UInt8] = [0x30, 103, 0, 1, 0x61] + [UInt8](repeating: 0x78, count: 100)

    /// What arrives then is read no more. Once a client turned for ever, so it turns in a thread of its own.
    @Test(arguments: [1, 2, 500])
    func `messages that arrive after the client has disconnected do not keep it`(messages: Int) throws {
        let hasEnded = DispatchSemaphore(value: 0)
        let hasConnected = Mutex(false)
        Thread.detachNewThread {
            defer { hasEnded.signal() }
            guard let scene = try? Scene() else { return }
            defer { close(scene.broker) }
            scene.send([0x20, 2, 0, 0])
            hasConnected.withLock { $0 = scene.turn().contains { if case .connected = $0 { true } else { false } } }
            for isAtOnce in [true, false] {
                scene.client.disconnect()
                if !isAtOnce { _ = scene.turn() }
                scene.send(Array(repeating: Self.message, count: messages).flatMap(\.self))
                for _ in 0..<5 { _ = scene.turn() }
            }
        }
        try #require(hasEnded.wait(timeout: .now() + 30) == .success, "the client turns for ever")
        let isConnected = hasConnected.withLock { $0 }
        #expect(isConnected)
    }
}
