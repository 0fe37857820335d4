import Broker
import Testing

/// What passes from a broker to libmosquitto.
struct PacketFilterTests {
    private static let connack: [UInt8] = [0x20, 3, 0, 0, 0]

    private static func packet(_ first: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes = [first]
        var length = body.count
        repeat {
            bytes.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return bytes + body
    }

    /// A packet of each kind with these properties.
    private static func packets(_ properties: [UInt8]) -> [String: [UInt8]] {
        let list = [UInt8(properties.count)] + properties
        return [
            "CONNACK": packet(0x20, [0, 0] + list), "PUBLISH": packet(0x32, [0, 1, 0x61, 0, 7] + list + [0x78]),
            "PUBACK": packet(0x40, [0, 7, 0] + list), "PUBREC": packet(0x50, [0, 7, 0] + list),
            "PUBREL": packet(0x62, [0, 7, 0] + list), "PUBCOMP": packet(0x70, [0, 7, 0] + list),
            "SUBACK": packet(0x90, [0, 7] + list + [1]), "UNSUBACK": packet(0xB0, [0, 7] + list + [0]),
            "DISCONNECT": packet(0xE0, [0x8B] + list),
        ]
    }

    /// What a filter says of bytes behind a CONNACK, or of a CONNACK.
    private func fault(_ bytes: [UInt8], _ version: MQTTClient.ProtocolVersion = .v5) -> String? {
        var filter = PacketFilter(version: version)
        if bytes.first != 0x20 { _ = filter.take(version == .v5 ? Self.connack : [0x20, 2, 0, 0]) }
        let (sound, fault) = filter.take(bytes)
        #expect((sound == Self.passedOn(bytes)) == (fault == nil))
        return fault?.reason
    }

    /// What of a sound packet reaches the library: of an acknowledgement its packet id and reason code.
    private static func passedOn(_ packet: [UInt8]) -> [UInt8] {
        let isAcknowledgement = packet.first.map { (4...7).contains($0 >> 4) } ?? false
        return isAcknowledgement && packet.count > 5 ? [packet[0], 3] + packet[2..<5] : packet
    }

    /// libmosquitto never frees the properties of an acknowledgement whose packet id it does not know.
    @Test func `acknowledgements reach the library without properties`() {
        for first: UInt8 in [0x40, 0x50, 0x62, 0x70] {
            var filter = PacketFilter(version: .v5)
            let reason: [UInt8] = [31, 0, 1, 0x61]
            let long = Self.packet(first, [0, 7, 0x80, UInt8(reason.count)] + reason)
            let passed = filter.take(Self.connack + long + [first, 3, 0, 8, 0] + [first, 2, 0, 9]).sound
            #expect(passed == Self.connack + [first, 3, 0, 7, 0x80] + [first, 3, 0, 8, 0] + [first, 2, 0, 9])
        }
    }

    /// libmosquitto keeps a message of QoS 2 until its PUBREL, however many there are.
    @Test func `only a hundred messages of QoS 2 may wait for their PUBREL`() {
        func message(_ id: UInt8) -> [UInt8] { Self.packet(0x34, [0, 1, 0x61, 0, id, 0, 0x78]) }
        func fault(_ packets: [[UInt8]]) -> String? {
            var filter = PacketFilter(version: .v5)
            return filter.take(Self.connack + packets.joined()).fault?.reason
        }
        let many = (1...100).map { message(UInt8($0)) }
        #expect(fault(many) == nil && fault(many + [message(101)])?.contains("more than 100") == true)
        let released = (1...100).map { [0x62, 2, 0, UInt8($0)] }
        #expect(fault(many + released + many) == nil)
        #expect(fault([message(1), message(1)])?.contains("waits for its PUBREL") == true)
    }

    @Test func `a property that MQTT 5 does not know reaches the library in no packet`() {
        let known: Set<UInt8> = [
            1, 2, 3, 8, 9, 11, 17, 18, 19, 21, 22, 23, 24, 25, 26, 28, 31, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42,
        ]
        for number in UInt8.min..<0x80 where !known.contains(number) {
            for (kind, packet) in Self.packets([number, 0, 0, 0, 0]) {
                #expect(fault(packet)?.contains("\(kind) ") == true, "property \(number) in \(kind)")
            }
        }
        for (kind, packet) in Self.packets([0xFF, 0xFF, 0x7F, 0]) {
            #expect(fault(packet) == "\(kind) has the unknown property 0x1FFFFF")
        }
    }

    @Test func `the properties of each packet pass, and no others`() {
        let values: [UInt8: [UInt8]] = [
            1: [1], 2: [0, 0, 0, 0], 3: [0, 1, 0x61], 8: [0, 1, 0x61], 9: [0, 2, 0, 0xFF], 11: [0x81, 1],
            17: [0, 0, 0, 9], 18: [0, 1, 0x61], 19: [0, 9], 21: [0, 1, 0x61], 22: [0, 0], 26: [0, 1, 0x61],
            28: [0, 1, 0x61], 31: [0, 1, 0x61], 33: [0, 9], 34: [0, 0], 35: [0, 1], 36: [1], 37: [0],
            38: [0, 1, 0x61, 0, 0], 39: [0, 0, 1, 0], 40: [1], 41: [1], 42: [0],
        ]
        var allowed: [String: Set<UInt8>] = ["CONNACK": Set(values.keys).subtracting([1, 2, 3, 8, 9, 11, 35])]
        allowed["PUBLISH"] = [1, 2, 3, 8, 9, 11, 38]
        allowed["DISCONNECT"] = [17, 28, 31, 38]
        for (number, value) in values {
            for (kind, packet) in Self.packets([number] + value) {
                let passes = (allowed[kind] ?? [31, 38]).contains(number)
                #expect((fault(packet) == nil) == passes, "property \(number) in \(kind)")
            }
            // Only two may come twice.
            let twice = [number] + value + [number] + value
            let kind = allowed["PUBLISH"]?.contains(number) == true ? "PUBLISH" : "CONNACK"
            guard number != 35, let packet = Self.packets(twice)[kind] else { continue }
            #expect((fault(packet) == nil) == [11, 38].contains(number), "property \(number) twice")
        }
    }

    @Test func `a property that is cut off or has a forbidden value is refused`() {
        for properties: [UInt8] in [
            [1], [1, 2], [2, 0, 0, 0], [3, 0, 2, 0x61], [3, 0, 1, 0], [3, 0, 1, 0xFF], [3, 0, 3, 0xED, 0xA0, 0x80],
            [9, 0xFF, 0xFF], [11, 0], [11, 0x80, 0x80, 0x80, 0x80, 1], [38, 0, 1, 0x61], [0x80],
            [0xFF, 0xFF, 0xFF, 0xFF],
        ] {
            let packet = Self.packets(properties)["PUBLISH"] ?? []
            #expect(fault(packet)?.hasPrefix("PUBLISH ") == true, "\(properties)")
        }
        #expect(fault([0x20, 8, 0, 0, 5, 33, 0, 0, 1, 1])?.hasPrefix("CONNACK has a value") == true)
        // The list of properties is longer than the packet.
        #expect(fault([0x40, 4, 0, 1, 0, 9])?.hasPrefix("PUBACK ends") == true)
    }

    @Test(
        arguments: [
            [0x00, 0], [0x10, 0], [0x80, 0], [0xC0, 0], [0xF0, 0], [0x21, 3, 0, 0, 0], [0x60, 2, 0, 1],
            [0x40, 2, 0, 0],
            [0x40, 1, 0], [0x40, 0], [0x90, 3, 0, 1, 0], [0x90, 2, 0, 1], [0xB0, 3, 0, 1, 0], [0xD0, 1, 0], [0x30, 0],
            [0x30, 3, 0, 0, 0], [0x30, 4, 0, 1, 0x2B, 0], [0x30, 4, 0, 1, 0x23, 0], [0x30, 4, 0, 1, 0, 0],
            [0x30, 4, 0, 1, 0xFF, 0], [0x36, 6, 0, 1, 0x61, 0, 1, 0], [0x32, 6, 0, 1, 0x61, 0, 0, 0], [0x30, 2, 0, 9],
            [0x40, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0x40, 0xFF, 0xFF, 0xFF, 0x7F],
        ] as [[UInt8]]) func `what no client of MQTT 5 may be sent is refused`(bytes: [UInt8])
    {
        #expect(fault(bytes) != nil)
    }

    @Test func `nothing may come before CONNACK, and no second one`() {
        var filter = PacketFilter(version: .v5)
        #expect(filter.take([0xD0, 0]).fault?.reason == "PINGRESP before CONNACK")
        #expect(fault(Self.connack + Self.connack.prefix(0)) == nil)
        var other = PacketFilter(version: .v5)
        #expect(other.take(Self.connack + Self.connack).fault?.reason == "a second CONNACK")
    }

    @Test func `MQTT 3.1.1 has no properties, no reasons and no DISCONNECT`() {
        #expect(fault([0x20, 2, 0, 0], .v311) == nil && fault([0x20, 2, 0, 5], .v311) == nil)
        #expect(fault([0x40, 2, 0, 1], .v311) == nil && fault([0x40, 3, 0, 1, 0], .v311) != nil)
        #expect(fault([0x90, 3, 0, 1, 0x80], .v311) == nil && fault([0xB0, 2, 0, 1], .v311) == nil)
        #expect(fault([0x30, 3, 0, 1, 0x61], .v311) == nil && fault([0xE0, 0], .v311) != nil)
        // A broker that speaks only 3.1.1 refuses MQTT 5 in its own form; it must not accept it like that.
        #expect(fault([0x20, 2, 0, 1]) == nil && fault([0x20, 2, 0, 0]) != nil)
    }

    @Test func `packets pass whole, however they arrive, and those before a fault as well`() {
        let stream = Self.connack + [0xD0, 0] + (Self.packets([38, 0, 1, 0x61, 0, 0])["PUBLISH"] ?? []) + [0xE0, 0]
        var (filter, passed) = (PacketFilter(version: .v5), [UInt8]())
        for byte in stream {
            let (sound, fault) = filter.take([byte])
            passed += sound
            #expect(fault == nil)
        }
        #expect(passed == stream && filter.take([0x00]).fault != nil)
        var whole = PacketFilter(version: .v5)
        let (sound, fault) = whole.take(stream + [0x00, 0x00] + stream)
        #expect(sound == stream && fault != nil)
    }

    @Test func `a message that would fill the memory arrives without its payload, and the next ones whole`() {
        var filter = PacketFilter(version: .v5)
        _ = filter.take(Self.connack)
        let head: [UInt8] = [0, 1, 0x61, 0, 7, 0]
        let large = Self.packet(0x32, head + [UInt8](repeating: 0x78, count: 9 << 20))
        let next = Self.packets([])["PUBLISH"] ?? []
        var passed: [UInt8] = []
        for start in stride(from: 0, to: large.count, by: 50_000) {
            let (sound, fault) = filter.take(large[start..<min(start + 50_000, large.count)])
            #expect(fault == nil)
            passed += sound
        }
        passed += filter.take(next).sound
        #expect(passed == Self.packet(0x32, head) + next)
    }
}
