/// Why something was not taken. The text ends with what to do.
package struct SendingFailure: Error, CustomStringConvertible, Equatable {
    /// The reason, and what to do.
    package let description: String

    /// A failure for this reason.
    package init(_ description: String) { self.description = description }
}
