import Foundation
import History

/// Decides when an alert tells of a problem: once when it has stood long enough, and once when it is over.
///
/// A problem is over when it was not seen for a minute. So one that comes and goes is one problem, and so is one that
/// stands before and after a restart.
package struct AlertWatch: Sendable {
    /// Of what an alert tells, and when.
    package struct Rule: Sendable, Equatable {
        /// The alert's name.
        package let alert: String
        /// The problems that it tells of.
        package let topics: [AlertTopic]
        /// How long a problem stands before it is told, unless it is urgent.
        package let after: Duration

        /// A rule of these values.
        package init(alert: String, topics: [AlertTopic], after: Duration) {
            (self.alert, self.topics, self.after) = (alert, topics, after)
        }
    }

    /// A problem that is seen now.
    package struct Sighting: Sendable, Equatable {
        /// The problem.
        package let topic: AlertTopic
        /// The camera; `nil` for the whole node.
        package let camera: String?
        /// The id of the alarm; `nil` for other problems, of which a camera has one at most.
        package let alarm: String?
        /// The problem in words, with what to do.
        package let advice: String
        /// Since when it stands; `nil` where only the sighting tells.
        package let since: Date?

        /// A sighting of these values.
        package init(
            _ topic: AlertTopic, camera: String? = nil, alarm: String? = nil, advice: String = "", since: Date? = nil
        ) {
            (self.topic, self.camera, self.alarm, self.advice) = (topic, camera, alarm, advice)
            self.since = since
        }
    }

    private struct Key: Hashable {
        let alert: String
        let topic: AlertTopic
        let camera, alarm: String?
    }

    private struct Entry {
        /// When it was seen first.
        let since: Date
        let first: ContinuousClock.Instant
        var isTold: Bool
        /// When it was seen last, on both clocks.
        var last: (at: ContinuousClock.Instant, wall: Date)
    }

    /// How long a problem must be away to be over.
    package static let calm = Duration.seconds(60)

    private let rules: [Rule]
    private var entries: [Key: Entry] = [:]

    /// Goes on with the problems that stood when the last run ended. Those of alerts that are not configured any more
    /// are left out.
    package init(_ rules: [Rule], standing: [StandingProblem] = [], now: ContinuousClock.Instant, wall: Date) {
        self.rules = rules
        for problem in standing {
            guard let topic = AlertTopic(rawValue: problem.topic),
                rules.contains(where: { $0.alert == problem.alert && $0.topics.contains(topic) })
            else { continue }
            // The clock may have been set in between.
            let age = min(max(0, wall.timeIntervalSince(problem.since)), 86_400)
            let key = Key(
                alert: problem.alert, topic: topic, camera: problem.camera.isEmpty ? nil : problem.camera,
                alarm: problem.alarm.isEmpty ? nil : problem.alarm)
            entries[key] = Entry(
                since: problem.since, first: now - .seconds(age), isTold: problem.isTold, last: (now, wall))
        }
    }

    /// What stands now, for the next run.
    package var standing: [StandingProblem] {
        entries.map { key, entry in
            StandingProblem(
                alert: key.alert, topic: key.topic.rawValue, camera: key.camera ?? "", alarm: key.alarm ?? "",
                since: entry.since, isTold: entry.isTold)
        }.sorted { ($0.alert, $0.topic, $0.camera, $0.alarm) < ($1.alert, $1.topic, $1.camera, $1.alarm) }
    }

    /// Takes the problems that are seen now.
    ///
    /// - Returns: the alerts that tell something, by name.
    package mutating func look(
        at sightings: [Sighting], now: ContinuousClock.Instant, wall: Date
    ) -> [(alert: String, message: AlertMessage)] {
        var told: [(alert: String, message: AlertMessage)] = []
        for rule in rules {
            for sighting in sightings where rule.topics.contains(sighting.topic) {
                let key = Key(
                    alert: rule.alert, topic: sighting.topic, camera: sighting.camera, alarm: sighting.alarm)
                var entry =
                    entries[key] ?? Entry(since: sighting.since ?? wall, first: now, isTold: false, last: (now, wall))
                entry.last = (now, wall)
                if !entry.isTold, now - entry.first >= (sighting.topic.isUrgent ? .zero : rule.after) {
                    entry.isTold = true
                    let message = AlertMessage(
                        state: .began, topic: sighting.topic, camera: sighting.camera, alarm: sighting.alarm,
                        since: entry.since, advice: sighting.advice)
                    told.append((rule.alert, message))
                }
                entries[key] = entry
            }
        }
        return told + endings(now: now)
    }

    private mutating func endings(now: ContinuousClock.Instant) -> [(alert: String, message: AlertMessage)] {
        let over = entries.filter { now - $0.value.last.at >= Self.calm }
        for key in over.keys { entries[key] = nil }
        return over.filter(\.value.isTold).map { key, entry in
            (
                key.alert,
                AlertMessage(
                    state: .ended, topic: key.topic, camera: key.camera, alarm: key.alarm, since: entry.since,
                    until: entry.last.wall)
            )
        }.sorted { Self.order($0) < Self.order($1) }
    }

    private static func order(_ told: (alert: String, message: AlertMessage)) -> (String, String, String, String) {
        let message = told.message
        return (told.alert, message.topic.rawValue, message.camera ?? "", message.alarm ?? "")
    }
}
