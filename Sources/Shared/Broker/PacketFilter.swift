/// Lets only sound packets through from a broker to libmosquitto.
///
/// The library ends the process on some bytes that are no MQTT: it fails an assertion on a property that it does not
/// know. So each packet is checked here before the library sees it: kind, flags, lengths, numbers, texts and properties,
/// after MQTT 3.1.1 and 5 (OASIS). What a reason code means is not checked; a newer broker may know more of them.
///
/// It also never frees the properties of an acknowledgement whose packet id it does not know, so a broker could fill the
/// memory with them. Nobody here reads them, and acknowledgements are passed on without. And it keeps every message of QoS 2
/// until its PUBREL, so only ``mostUnreleased`` of them may wait.
package struct PacketFilter {
    /// The largest packet that is passed on whole. A larger message arrives without its payload: it must neither fill
    /// the memory nor end the connection again and again.
    package static let largestPacket = 4 << 20
    /// The most bytes of a larger message before its payload.
    private static let largestHead = 256 << 10
    /// The bytes of an acknowledgement's packet id and reason code.
    private static let plainAcknowledgement = 3

    /// The most messages of QoS 2 that may wait for their PUBREL. Nobody here asks for such messages.
    private static let mostUnreleased = 100

    private let version: MQTTClient.ProtocolVersion
    /// The beginning of a packet that is not complete.
    private var waiting: [UInt8] = []
    /// The bytes of a payload that are still to be left out.
    private var skipping = 0
    private var isConnected = false
    /// The packet ids of the messages of QoS 2 that wait for their PUBREL.
    private var unreleased: Set<UInt16> = []

    /// A filter for one connection.
    package init(version: MQTTClient.ProtocolVersion) { self.version = version }

    /// Takes the next bytes of the connection.
    ///
    /// - Returns: the packets that are complete and sound, and what is wrong with the one behind them; `nil` when
    ///   nothing is. After a fault the connection is of no use.
    package mutating func take(_ bytes: some Collection<UInt8>) -> (sound: [UInt8], fault: PacketFault?) {
        let skipped = min(skipping, bytes.count)
        skipping -= skipped
        waiting.append(contentsOf: bytes.dropFirst(skipped))
        var sound: [UInt8] = []
        var position = 0
        defer {
            waiting.removeFirst(position)
            // A large packet's memory is not kept.
            if waiting.isEmpty, waiting.capacity > Self.largestHead { waiting = [] }
        }
        do throws(PacketFault) {
            while let packet = try packet(at: position) {
                let payload = try check(packet)
                if packet.isLarge {
                    sound += Self.head(packet.first, waiting[packet.start..<payload])
                    skipping = max(0, packet.end - waiting.count)
                } else if packet.kind.isAcknowledgement, packet.end - packet.start > Self.plainAcknowledgement {
                    sound += [packet.first, UInt8(Self.plainAcknowledgement)]
                    sound += waiting[packet.start..<packet.start + Self.plainAcknowledgement]
                } else {
                    sound += waiting[position..<packet.end]
                }
                position = min(packet.end, waiting.count)
            }
            return (sound, nil)
        } catch {
            return (sound, error)
        }
    }

    /// A packet among the bytes that wait.
    private struct Packet {
        let kind: PacketKind
        /// The first byte.
        let first: UInt8
        /// Where the variable header begins.
        let start: Int
        /// Where the next packet begins.
        let end: Int
        let isLarge: Bool
    }

    /// The packet that begins at an offset; `nil` while too little of it has arrived.
    private func packet(at position: Int) throws(PacketFault) -> Packet? {
        guard position < waiting.count else { return nil }
        let first = waiting[position]
        guard let kind = PacketKind(rawValue: first >> 4), version == .v5 || kind != .disconnect else {
            throw PacketFault("a packet that begins with 0x" + String(first, radix: 16, uppercase: true))
        }
        if let flags = kind.flags, flags != first & 0x0F { throw PacketFault("\(kind.name) has wrong flags") }
        guard isConnected == (kind != .connack) else {
            throw PacketFault(isConnected ? "a second CONNACK" : "\(kind.name) before CONNACK")
        }
        guard let (length, start) = try length(at: position + 1, of: kind) else { return nil }
        let isLarge = start - position + length > Self.largestPacket
        guard !isLarge || kind == .publish else { throw PacketFault("\(kind.name) is larger than 4 MB") }
        guard waiting.count - start >= (isLarge ? Self.largestHead : length) else { return nil }
        return Packet(kind: kind, first: first, start: start, end: start + length, isLarge: isLarge)
    }

    /// The length that a fixed header gives, and where it ends; `nil` while it is not complete.
    private func length(at position: Int, of kind: PacketKind) throws(PacketFault) -> (length: Int, end: Int)? {
        var length = 0
        for index in 0..<4 {
            guard position + index < waiting.count else { return nil }
            let byte = waiting[position + index]
            length |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return (length, position + index + 1) }
        }
        throw PacketFault("\(kind.name) has a length of more than four bytes")
    }

    /// Checks a packet.
    ///
    /// - Returns: where the payload of a message begins; the end for other packets.
    private mutating func check(_ packet: Packet) throws(PacketFault) -> Int {
        let end = packet.isLarge ? packet.start + Self.largestHead : packet.end
        var fields = PacketReader(waiting[packet.start..<end], of: packet.kind)
        switch packet.kind {
        case .connack: try checkConnack(&fields)
        case .publish:
            try checkHead(of: packet.first, &fields)
            return end - fields.left
        case .puback, .pubrec, .pubrel, .pubcomp:
            let id = try fields.packetId()
            if packet.kind == .pubrel { unreleased.remove(id) }
            try checkReason(&fields)
        case .suback, .unsuback: try checkCodes(&fields)
        case .disconnect: try checkReason(&fields)
        case .pingresp: break
        }
        guard fields.left == 0 else { throw fields.fault("is longer than its fields") }
        return end
    }

    private mutating func checkConnack(_ fields: inout PacketReader) throws(PacketFault) {
        _ = try fields.byte()
        let code = try fields.byte()
        isConnected = true
        // A broker that speaks 3.1.1 only refuses version 5 in its own form.
        if version == .v311 || code != 0 && fields.left == 0 { return }
        try fields.properties()
    }

    /// Topic, packet id and properties of a message.
    private mutating func checkHead(of first: UInt8, _ fields: inout PacketReader) throws(PacketFault) {
        let qos = first >> 1 & 3
        guard qos < 3 else { throw fields.fault("has the quality of service 3") }
        let topic = try fields.text()
        guard !topic.isEmpty, !topic.contains(UInt8(ascii: "+")), !topic.contains(UInt8(ascii: "#")) else {
            throw fields.fault("has a topic that is empty or has a wildcard")
        }
        let id = qos > 0 ? try fields.packetId() : nil
        if version == .v5 { try fields.properties() }
        guard qos == 2, let id else { return }
        guard unreleased.insert(id).inserted else { throw fields.fault("has a packet id that waits for its PUBREL") }
        guard unreleased.count <= Self.mostUnreleased else {
            throw fields.fault("is one of more than \(Self.mostUnreleased) of QoS 2 that wait for their PUBREL")
        }
    }

    /// A reason code and properties; both may be missing, and are with 3.1.1.
    private func checkReason(_ fields: inout PacketReader) throws(PacketFault) {
        guard version == .v5, fields.left > 0 else { return }
        _ = try fields.byte()
        if fields.left > 0 { try fields.properties() }
    }

    /// A packet id, properties, and a code for each topic.
    private func checkCodes(_ fields: inout PacketReader) throws(PacketFault) {
        try fields.packetId()
        if version == .v5 { try fields.properties() }
        // With 3.1.1 UNSUBACK has no codes.
        guard version == .v5 || fields.kind == .suback else { return }
        guard fields.left > 0 else { throw fields.fault("has no reason code") }
        while fields.left > 0 { _ = try fields.byte() }
    }

    /// A message without its payload.
    private static func head(_ first: UInt8, _ fields: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = [first]
        var length = fields.count
        repeat {
            bytes.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return bytes + fields
    }
}
