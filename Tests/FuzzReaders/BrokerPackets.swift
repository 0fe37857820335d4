import Broker
import Foundation

extension FuzzReader {
    /// What a broker sends, as libmosquitto gets it: the client's filter and the library itself, over a socket.
    ///
    /// The first byte says whether the client speaks MQTT 5 or 3.1.1; 5 begins with a CONNACK that needs no guessing.
    static let brokerPackets = FuzzReader(name: "broker-packets") { bytes in
        guard let first = bytes.first else { return }
        let version = first & 1 == 0 ? MQTTClient.ProtocolVersion.v5 : .v311
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
        defer { close(ends[1]) }
        let wake = try SelfPipe()
        let will = MQTTMessage(topic: "will", payload: "gone", retain: true)
        let client = try MQTTClient(
            settings: BrokerSettings(), clientId: "fuzz", will: will, version: version, session: .brief)
        try client.connect(socket: ends[0], keepaliveSeconds: 60)
        let connack: [UInt8] = version == .v5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]
        let sent = (first & 2 == 0 ? connack : []) + bytes.dropFirst()
        sent.withUnsafeBytes { _ = write(ends[1], $0.baseAddress, min($0.count, 60_000)) }
        shutdown(ends[1], Int32(SHUT_WR))
        for turn in 0..<64 {
            for event in client.turn(timeout: .zero, wake: wake) {
                switch event {
                case .connected:
                    _ = try? client.subscribe("a/#")
                    _ = try? client.publish(MQTTMessage(topic: "a", payload: "x", retain: true))
                case .lost, .refused: return
                default: break
                }
            }
            if turn == 32 { client.disconnect() }
        }
    }
}
