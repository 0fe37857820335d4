import Foundation
import Glibc
import Synchronization
import TestSupport

/// A broker that floods a node with commands and does not acknowledge the answers, until it is told to.
final class LazyBroker: Sendable {
    private struct State {
        var answers: [String] = []
        var acknowledges = false
        var floods = 0
        /// The packet ids of the answers that were not acknowledged.
        var waiting: [(connection: Int32, id: [UInt8])] = []
    }
    private let state: Box
    private let server: LoopbackServer

    private final class Box: Sendable { let lock = Mutex(State()) }

    /// - Parameter commands: how many `ping` the node gets at once.
    init(commands: Int) throws {
        let state = Box()
        self.state = state
        server = try LoopbackServer { connection in
            Self.serve(connection, state, commands)
            close(connection)
        }
    }

    var port: Int { server.port }

    /// The payloads of all answers, in order.
    var answers: [String] { state.lock.withLock { $0.answers } }

    /// How often the commands were sent: once for each connection.
    var floods: Int { state.lock.withLock { $0.floods } }

    /// Acknowledges the answers from now on.
    func acknowledge() {
        let waiting = state.lock.withLock { state in
            state.acknowledges = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for (connection, id) in waiting { OldBroker.answer(connection, [0x40, 2] + id) }
    }

    private static func serve(_ connection: Int32, _ state: Box, _ commands: Int) {
        while let (kind, body) = OldBroker.packet(connection) {
            switch kind >> 4 {
            case 1: OldBroker.answer(connection, [0x20, 3, 0, 0, 0])
            case 3 where kind & 0x06 != 0: published(body, connection, state)
            case 8:
                OldBroker.answer(connection, [0x90, 4, body[0], body[1], 0, 1])
                let isCommands = String(decoding: body, as: UTF8.self).contains("cmd/+")
                if isCommands { state.lock.withLock { $0.floods += 1 } }
                if isCommands { for number in 0..<commands { ping("c\(number)", connection) } }
            case 12: OldBroker.answer(connection, [0xD0, 0])
            case 14: return
            default: break
            }
        }
    }

    private static func published(_ body: [UInt8], _ connection: Int32, _ state: Box) {
        let end = 2 + (Int(body[0]) << 8 | Int(body[1]))
        let id = Array(body[end..<end + 2])
        let isAnswer = String(decoding: body[2..<end], as: UTF8.self).contains("/res/")
        let (acknowledges, count) = state.lock.withLock { state in
            if isAnswer {
                state.answers.append(String(decoding: body[(end + 2)...], as: UTF8.self))
                if !state.acknowledges { state.waiting.append((connection, id)) }
            }
            return (state.acknowledges || !isAnswer, state.answers.count)
        }
        if acknowledges { OldBroker.answer(connection, [0x40, 2] + id) }
        // What a sender would do: ask again until there is an answer.
        if isAnswer, acknowledges, count % 20 == 0 { ping("last", connection) }
    }

    private static func ping(_ id: String, _ connection: Int32) {
        let topic = Array("spotter/v1/gym/sp-test/cmd/ping".utf8)
        let body = [0, UInt8(topic.count)] + topic + [0] + Array("{\"id\":\"\(id)\"}".utf8)
        OldBroker.answer(connection, [0x30, UInt8(body.count)] + body)
    }
}
