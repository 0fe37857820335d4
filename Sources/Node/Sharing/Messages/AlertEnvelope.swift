import Records

/// The JSON of an alert in a webhook.
struct AlertEnvelope: Encodable {
    private let v = 1
    private let type = "alert"
    private let state, problem, since, site, node, text: String
    private let camera, alarm, until: String?

    init(_ alert: AlertMessage, _ sender: SendingNode, text: String) {
        (state, problem, camera, alarm) = (alert.state.rawValue, alert.topic.rawValue, alert.camera, alert.alarm)
        (since, until) = (Timestamp.text(alert.since), alert.until.map(Timestamp.text))
        (site, node, self.text) = (sender.site, sender.node, text)
    }
}
