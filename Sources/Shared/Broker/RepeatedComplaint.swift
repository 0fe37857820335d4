/// Tells a new complaint from a repeated one: the same words count again after ten minutes.
package struct RepeatedComplaint {
    private static let interval = Duration.seconds(600)
    private var last: (text: String, at: ContinuousClock.Instant)?

    /// Nothing was complained of.
    package init() {}

    /// Whether `text` should be logged.
    package mutating func isNew(_ text: String, at now: ContinuousClock.Instant) -> Bool {
        if let last, last.text == text, now - last.at < Self.interval { return false }
        last = (text, now)
        return true
    }
}
