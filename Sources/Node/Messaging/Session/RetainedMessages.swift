import Broker

extension MQTTProbe {
    /// Without a retained message for so long, all have arrived.
    private static let quiet = Duration.milliseconds(500)

    /// Takes every retained message of what was subscribed. They arrive at once. What a running node says meanwhile is no
    /// reason to wait for more of them.
    ///
    /// - Throws: ``MQTTProbe/Refusal`` when the connection is lost.
    func takeRetained(_ take: (Message) -> Void) throws {
        var last = ContinuousClock.now
        while .now - last < Self.quiet {
            for message in try messages(within: Self.quiet) where message.isRetained {
                last = .now
                take(message)
            }
        }
    }
}
