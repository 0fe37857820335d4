/// One message on its way to the broker.
package struct MQTTMessage: Sendable, Equatable {
    package var topic: String
    package var payload: String
    /// Sent instead of the text: a picture.
    package var picture: [UInt8]?
    package var qos: Int32 = 1
    package var retain = false
    /// After which the broker throws it away, seconds; needs MQTT 5.
    package var expirySeconds: UInt32?
    package var contentType = "application/json"
    /// Copies of payload fields by which a receiver may route without parsing; need MQTT 5.
    package var userProperties: [(name: String, value: String)] = []
    /// What the asker uses to find the answer to its question; needs MQTT 5.
    package var correlation: [UInt8]?
    /// A number that stands for the topic in this connection; needs MQTT 5.
    package var topicAlias: UInt16?

    package static func == (a: MQTTMessage, b: MQTTMessage) -> Bool {
        a.topic == b.topic && a.payload == b.payload && a.qos == b.qos && a.retain == b.retain
            && a.expirySeconds == b.expirySeconds
    }
}

/// One message that arrived.
package struct ArrivedMessage: Sendable, Equatable {
    var topic: String
    var payload: [UInt8]
    /// Whether the broker had kept it from before the subscription.
    var retained: Bool
    /// Where the sender wants the answer, and by what it will know it (MQTT 5).
    var responseTopic: String?
    var correlation: [UInt8]?

    package init(
        topic: String, payload: [UInt8], retained: Bool, responseTopic: String? = nil, correlation: [UInt8]? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.retained = retained
        self.responseTopic = responseTopic
        self.correlation = correlation
    }
}
