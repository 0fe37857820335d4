import Foundation
import Sharing
import TOMLSettings

extension Configuration {
    /// `[[share]]`: who gets a named workout when it has ended.
    public struct Share: Sendable, Equatable {
        /// The recipient's name: 1 to 63 of `a-z 0-9 _ -`, unique.
        public var name = ""
        /// How it is sent: `webhook`, `ntfy` or `wger`.
        public var kind = Recipient.Kind.webhook.rawValue
        /// The address, `https://…` or `http://…`.
        public var url = ""
        /// A file with the secret or token on its first line; empty for none.
        public var secretFile = ""
        /// The names whose workouts are sent; empty for everybody with a name.
        public var people: [String] = []
        /// The numbers of exercises at wger, by label.
        public var exercises: [String: Int] = [:]
        /// Hours after which a workout that nobody took is given up, 1 to 720.
        public var giveUpHours = 72

        /// A share without an address.
        public init() {}
    }

    /// `[[alert]]`: who is told of a problem of the node.
    public struct Alert: Sendable, Equatable {
        /// The recipient's name: 1 to 63 of `a-z 0-9 _ -`, unique.
        public var name = ""
        /// How it is told: `webhook`, `ntfy` or `mail`.
        public var kind = Recipient.Kind.webhook.rawValue
        /// The address of a webhook or topic.
        public var url = ""
        /// A file with the secret or token on its first line; empty for none.
        public var secretFile = ""
        /// The mail address.
        public var to = ""
        /// The program that takes a mail (`sendmail -t`).
        public var sendmail = "/usr/sbin/sendmail"
        /// The problems that are told of.
        public var on = AlertTopic.allCases.map(\.rawValue)
        /// Minutes for which a problem stands until it is told of, 0 to 1440.
        public var afterMinutes = 5.0

        /// An alert without an address.
        public init() {}
    }

    /// The most shares, and the most alerts.
    static let maximumRecipients = 32

    /// The keys of one `[[share]]` block.
    static let shareKeys: [ConfigurationKey<Share>] = [
        .text("share.name", \.name, .identifier(suchAs: "club")),
        .text("share.kind", \.kind, .choice(kinds(besides: .mail))),
        .text("share.url", \.url, .webAddress),
        .text("share.secret_file", \.secretFile),
        .words("share.people", \.people, .notEmpty),
        .exerciseNumbers("share.exercises", \.exercises),
        .integer("share.give_up_hours", \.giveUpHours, 1...720),
    ]

    /// The keys of one `[[alert]]` block.
    static let alertKeys: [ConfigurationKey<Alert>] = [
        .text("alert.name", \.name, .identifier(suchAs: "staff")),
        .text("alert.kind", \.kind, .choice(kinds(besides: .wger))),
        .text("alert.url", \.url, .webAddress),
        .text("alert.secret_file", \.secretFile),
        .text("alert.to", \.to, .mailAddress),
        .text("alert.sendmail", \.sendmail, .notEmpty),
        .words("alert.on", \.on, .choice(AlertTopic.allCases.map(\.rawValue))),
        .number("alert.after_minutes", \.afterMinutes, 0...1440),
    ]

    private static func kinds(besides other: Recipient.Kind) -> [String] {
        Recipient.Kind.allCases.filter { $0 != other }.map(\.rawValue)
    }
}

extension Configuration.Share {
    /// What is missing, as the end of a sentence; `nil` for a share that can be used.
    var problem: String? {
        if name.isEmpty { return "needs a name, such as name = \"club\"" }
        if url.isEmpty { return "needs a url, such as url = \"https://club.example.org/workouts\"" }
        guard kind == Recipient.Kind.wger.rawValue else { return nil }
        if secretFile.isEmpty { return "of the kind wger needs a secret_file with the token of the diary's owner" }
        if people.count != 1 { return "of the kind wger needs people = [\"NAME\"]: one diary belongs to one person" }
        return exercises.isEmpty
            ? "of the kind wger needs exercises, their numbers at wger, such as { squat = 615 }" : nil
    }
}

extension Configuration.Alert {
    /// What is missing, as the end of a sentence; `nil` for an alert that can be used.
    var problem: String? {
        if name.isEmpty { return "needs a name, such as name = \"staff\"" }
        if on.isEmpty { return "has an empty list on: name what it tells of, or leave on out for everything" }
        if kind == Recipient.Kind.mail.rawValue {
            return to.isEmpty ? "of the kind mail needs to, such as to = \"staff@example.org\"" : nil
        }
        return url.isEmpty ? "needs a url, such as url = \"https://ntfy.example.org/gym-berlin\"" : nil
    }
}

extension Configuration.Share: ConfigurationRoot {
    /// How the environment variables of a share's settings would begin.
    package static var variablePrefix: String { Configuration.variablePrefix }
}

extension Configuration.Alert: ConfigurationRoot {
    /// How the environment variables of an alert's settings would begin.
    package static var variablePrefix: String { Configuration.variablePrefix }
}

extension TextRule {
    /// An address of the web, or empty.
    fileprivate static let webAddress = TextRule(["pattern": "^(https?://[^\\s]+)?$"]) { text in
        guard !text.isEmpty else { return nil }
        return text.wholeMatch(of: /https?:\/\/[^\s]+/) != nil
            ? nil : "expects an address such as \"https://club.example.org/workouts\""
    }

    /// A mail address, or empty. It becomes a line of the mail's head.
    fileprivate static let mailAddress = TextRule(["pattern": "^([^\\s@<>,]+@[^\\s@<>,]+)?$"]) { text in
        guard !text.isEmpty else { return nil }
        return text.wholeMatch(of: /[^\s@<>,]+@[^\s@<>,]+/) != nil
            ? nil : "expects one mail address, such as \"staff@example.org\""
    }
}

extension ConfigurationKey {
    /// Numbers of exercises by label: `{ squat = 615 }`.
    fileprivate static func exerciseNumbers(_ name: String, _ path: any Path<[String: Int]>) -> Self {
        Self(
            name: name,
            set: { root, value in
                guard let numbers = value.numbers, numbers.values.allSatisfy({ $0 > 0 }) else {
                    throw SettingRefusal(reason: "expects numbers by exercise, such as { squat = 615, push_up = 182 }")
                }
                root[keyPath: path] = numbers
            },
            text: { SettingKind<[String: Int]>.inlineTable($0[keyPath: path]) },
            schema: ["type": "object", "additionalProperties": ["type": "integer", "minimum": 1]])
    }
}
