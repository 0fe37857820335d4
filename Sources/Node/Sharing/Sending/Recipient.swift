/// Where something is sent, and how: a `[[share]]` or an `[[alert]]` of the configuration.
package struct Recipient: Sendable, Equatable {
    /// The ways to send.
    package enum Kind: String, Sendable, CaseIterable {
        /// A POST request with JSON, signed when there is a secret.
        case webhook
        /// A short text to a topic of ntfy.
        case ntfy
        /// The training diary wger, by its REST API.
        case wger
        /// A mail by the program sendmail.
        case mail
    }

    /// The name in the configuration.
    package let name: String
    /// How it is sent.
    package let kind: Kind
    /// The address; empty for a mail.
    package let url: String
    /// The file with the secret or token on its first line; `nil` for none.
    package let secretFile: String?
    /// The mail address of the receiver; empty for the other kinds.
    package let to: String
    /// The program that takes a mail on its standard input.
    package let sendmail: String
    /// The numbers of exercises at wger, by label.
    package let exercises: [String: Int]

    /// A recipient of these values.
    package init(
        name: String, kind: Kind, url: String = "", secretFile: String? = nil, to: String = "",
        sendmail: String = "/usr/sbin/sendmail", exercises: [String: Int] = [:]
    ) {
        (self.name, self.kind, self.url, self.secretFile) = (name, kind, url, secretFile)
        (self.to, self.sendmail, self.exercises) = (to, sendmail, exercises)
    }
}
