import Foundation
import Records
import Synchronization

/// Links that hand out a workout's file once, within ten minutes. They are kept in memory: a restart forgets them.
package final class FileTickets: Sendable {
    /// How long a link works.
    package static let lifetime = Duration.seconds(600)
    /// More links wait at no time: the oldest make room.
    package static let maximumCount = 100

    private struct Ticket {
        let workout: String
        let expiry: ContinuousClock.Instant
        /// Whether the file is on its way: a second client at the same time gets nothing.
        var isUnderWay = false
    }

    /// By the SHA-256 of the token, so that a dump of the memory opens nothing.
    private let tickets = Mutex<[String: Ticket]>([:])

    /// Begins without links.
    package init() {}

    /// Makes a token of 32 hexadecimal digits for a workout's file.
    package func make(_ workout: String, now: ContinuousClock.Instant) -> String {
        let token = Secrets.hex(Secrets.random(16))
        tickets.withLock { tickets in
            tickets = tickets.filter { $0.value.expiry > now }
            if tickets.count >= Self.maximumCount, let oldest = tickets.min(by: { $0.value.expiry < $1.value.expiry }) {
                tickets[oldest.key] = nil
            }
            tickets[Self.key(token)] = Ticket(workout: workout, expiry: now + Self.lifetime)
        }
        return token
    }

    /// Begins a download. Call ``end(_:isComplete:)`` when it is over.
    ///
    /// - Returns: the workout's id; `nil` for a link that was used, is too old, is under way or never was.
    package func begin(_ token: String, now: ContinuousClock.Instant) -> String? {
        tickets.withLock { tickets in
            let key = Self.key(token)
            guard let ticket = tickets[key], ticket.expiry > now, !ticket.isUnderWay else { return nil }
            tickets[key]?.isUnderWay = true
            return ticket.workout
        }
    }

    /// Ends a download: a complete one uses the link up, another one leaves it as it was.
    package func end(_ token: String, isComplete: Bool) {
        tickets.withLock { tickets in
            let key = Self.key(token)
            if isComplete { tickets[key] = nil } else { tickets[key]?.isUnderWay = false }
        }
    }

    private static func key(_ token: String) -> String { SHA256.hex(of: token.utf8) }
}
