/// One message to publish.
package struct MQTTMessage: Sendable, Equatable {
    /// The topic; empty when ``topicAlias`` stands for it.
    package var topic: String
    /// The payload as text; unused when there is a ``picture``.
    package var payload: String
    /// An image that is sent instead of ``payload``.
    package var picture: [UInt8]?
    /// Quality of service: 0 or 1.
    package var qos: Int32 = 1
    /// Whether the broker keeps the message for later subscribers.
    package var retain = false
    /// Seconds after which the broker discards the message; needs MQTT 5.
    package var expirySeconds: UInt32?
    /// The MIME type of the payload; needs MQTT 5.
    package var contentType = "application/json"
    /// Copies of payload fields, by which a receiver can route without parsing; need MQTT 5.
    package var userProperties: [(name: String, value: String)] = []
    /// The correlation data of the request this message answers; needs MQTT 5.
    package var correlation: [UInt8]?
    /// The alias that stands for the topic in this connection; needs MQTT 5.
    package var topicAlias: UInt16?

    /// A message with this payload.
    package init(
        topic: String, payload: String, picture: [UInt8]? = nil, qos: Int32 = 1, retain: Bool = false,
        expirySeconds: UInt32? = nil, contentType: String = "application/json",
        userProperties: [(name: String, value: String)] = [], correlation: [UInt8]? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.picture = picture
        self.qos = qos
        self.retain = retain
        self.expirySeconds = expirySeconds
        self.contentType = contentType
        self.userProperties = userProperties
        self.correlation = correlation
    }

    package static func == (a: MQTTMessage, b: MQTTMessage) -> Bool {
        a.topic == b.topic && a.payload == b.payload && a.qos == b.qos && a.retain == b.retain
            && a.expirySeconds == b.expirySeconds
    }
}

/// One message received from the broker.
package struct ArrivedMessage: Sendable, Equatable {
    /// The topic it was published to.
    package var topic: String
    /// The payload's bytes.
    package var payload: [UInt8]
    /// Whether the broker sent it with the retain flag.
    package var retained: Bool
    /// The topic for the response (MQTT 5).
    package var responseTopic: String?
    /// The correlation data of the request (MQTT 5).
    package var correlation: [UInt8]?

    /// A received message with these parts.
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
