import Configuration
import Foundation
import History
import Sharing

extension Configuration {
    /// Whether workouts may leave the node at all.
    private var sharesWorkouts: Bool { recognition.privacy != Privacy.strict.rawValue }

    /// Which finished workouts wait for whom; none with strict privacy.
    var shareRules: [ShareRule] {
        sharesWorkouts
            ? shares.map { ShareRule(recipient: Outbox.name(ofShare: $0.name), people: $0.people) } : []
    }

    /// Whom the node sends to, by the name that deliveries have.
    package var routes: [String: Outbox.Route] {
        var routes: [String: Outbox.Route] = [:]
        for share in shares where sharesWorkouts {
            routes[Outbox.name(ofShare: share.name)] = .init(
                share.recipient, patienceSeconds: Double(share.giveUpHours) * 3600)
        }
        for alert in alerts {
            routes[Outbox.name(ofAlert: alert.name)] = .init(alert.recipient, patienceSeconds: 86_400)
        }
        return routes
    }

    /// Of what the alerts tell, and when.
    var alertRules: [AlertWatch.Rule] {
        alerts.map { alert in
            AlertWatch.Rule(
                alert: alert.name, topics: alert.on.compactMap(AlertTopic.init(rawValue:)),
                after: .seconds(alert.afterMinutes * 60))
        }
    }
}

extension Configuration.Share {
    /// Where and how it is sent.
    package var recipient: Recipient {
        Recipient(
            name: name, kind: Recipient.Kind(rawValue: kind) ?? .webhook, url: url,
            secretFile: secretFile.isEmpty ? nil : secretFile, exercises: exercises)
    }
}

extension Configuration.Alert {
    /// Where and how it is told.
    package var recipient: Recipient {
        Recipient(
            name: name, kind: Recipient.Kind(rawValue: kind) ?? .webhook, url: url,
            secretFile: secretFile.isEmpty ? nil : secretFile, to: to, sendmail: sendmail)
    }
}
