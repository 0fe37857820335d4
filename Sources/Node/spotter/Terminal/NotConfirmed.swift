/// A command that changes much was not confirmed, and did nothing. It fails, so that no script takes it for done.
struct NotConfirmed: Error, CustomStringConvertible {
    /// What would have been done, such as `3 topics would be removed`.
    let change: String

    init(_ change: String) { self.change = change }

    var description: String { "nothing was done: \(change); --yes does it" }
}
