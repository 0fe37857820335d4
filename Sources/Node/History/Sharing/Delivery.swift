import Foundation
import GRDB
import Records
import Workouts

/// Something that waits to be sent.
package struct Delivery: Sendable, Equatable {
    /// A UUID, the same for every attempt.
    package let id: String
    /// The recipient's name.
    package let recipient: String
    /// The workout that is sent; `nil` for a message.
    package let workout: String?
    /// The message as JSON; `nil` for a workout, which is read when it is sent.
    package let message: String?
    /// When it was made.
    package let made: Date
    /// When it is sent next.
    package let due: Date
    /// How often sending failed.
    package let tries: Int
    /// Why the last attempt failed; `nil` before the first.
    package let failure: String?
    /// Whether it is not sent any more.
    package let isGivenUp: Bool

    /// A message that is due at once.
    package init(id: String, recipient: String, message: String, made: Date) {
        (self.id, self.recipient, self.message, self.made, due) = (id, recipient, message, made, made)
        (workout, tries, failure, isGivenUp) = (nil, 0, nil, false)
    }

    init(_ row: Row) {
        (id, recipient) = (row.text("id"), row.text("recipient"))
        (workout, message, failure) = (
            row.optionalText("workout"), row.optionalText("message"), row.optionalText("failure")
        )
        made = Timestamp.date(milliseconds: row.moment("made_ms"))
        due = Timestamp.date(milliseconds: row.moment("due_ms"))
        (tries, isGivenUp) = (row.integer("tries"), row.integer("given_up") != 0)
    }
}

/// Writes deliveries inside the caller's transaction.
enum DeliveryRows {
    /// Lets a workout that has just ended wait for each recipient that gets it.
    static func add(_ workout: Workout, _ rules: [ShareRule], wallMilliseconds: Int64, in db: Database) throws {
        for rule in rules where rule.selects(workout) {
            try db.execute(
                sql: "INSERT OR IGNORE INTO delivery(id, recipient, workout, made_ms, due_ms) VALUES(?, ?, ?, ?, ?)",
                arguments: [
                    UUIDv8.string(of: "\(workout.id) to \(rule.recipient)"), rule.recipient, workout.id,
                    wallMilliseconds, wallMilliseconds,
                ])
        }
    }

    /// Lets a message wait.
    static func add(_ delivery: Delivery, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO delivery(id, recipient, message, made_ms, due_ms) VALUES(?, ?, ?, ?, ?)",
            arguments: [
                delivery.id, delivery.recipient, delivery.message, Timestamp.milliseconds(delivery.made),
                Timestamp.milliseconds(delivery.due),
            ])
    }

    /// A workout without a name is sent to nobody.
    static func forget(workout: String, in db: Database) throws {
        guard try db.tableExists("delivery") else { return }
        try db.execute(sql: "DELETE FROM delivery WHERE workout = ?", arguments: [workout])
    }
}

extension HistoryQuery {
    /// What waits or was given up, oldest first. A history from before deliveries existed has none.
    ///
    /// - Throws: ``HistoryError``.
    package func deliveries() throws -> [Delivery] {
        try read { db in
            guard try db.tableExists("delivery") else { return [] }
            return try Row.fetchAll(db, sql: "SELECT * FROM delivery ORDER BY made_ms, id").map(Delivery.init)
        }
    }

    /// What is to be sent at a moment: messages before workouts, then the oldest.
    ///
    /// - Parameters:
    ///   - recipient: only what waits for this one; `nil` for all.
    ///   - others: leaves out what waits for these.
    /// - Throws: ``HistoryError``.
    package func dueDeliveries(
        at date: Date, limit: Int, for recipient: String? = nil, without others: [String] = []
    ) throws -> [Delivery] {
        try read { db in
            var condition = SQLCondition()
            condition.add("given_up = 0 AND due_ms <= ?", Timestamp.milliseconds(date))
            condition.add("recipient = ?", recipient)
            for other in others { condition.add("recipient <> ?", other) }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM delivery WHERE \(condition.sql)
                    ORDER BY workout IS NOT NULL, due_ms, id LIMIT ?
                    """, arguments: condition.arguments + [limit]
            ).map(Delivery.init)
        }
    }
}

extension Store {
    /// Lets a message wait for its recipient.
    ///
    /// - Throws: ``HistoryError``.
    package func add(_ delivery: Delivery) throws { try write { db in try DeliveryRows.add(delivery, in: db) } }

    /// Forgets what was delivered, or is not wanted any more.
    ///
    /// - Throws: ``HistoryError``.
    package func removeDelivery(_ id: String) throws {
        try write { db in try db.execute(sql: "DELETE FROM delivery WHERE id = ?", arguments: [id]) }
    }

    /// Notes that sending failed.
    ///
    /// - Parameter due: when it is tried again; `nil` to give it up.
    /// - Throws: ``HistoryError``.
    package func noteFailure(of id: String, _ failure: String, due: Date?) throws {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE delivery SET tries = tries + 1, failure = ?, due_ms = ifnull(?, due_ms), given_up = ?
                    WHERE id = ?
                    """, arguments: [failure, due.map(Timestamp.milliseconds), due == nil, id])
        }
    }

    /// The newest deliveries that are kept even when the file is full.
    private static let newestDeliveries = 1000

    /// Deletes all but the newest deliveries.
    ///
    /// - Returns: how many there were.
    func deleteOldestDeliveries() throws -> Int {
        try delete(
            "DELETE FROM delivery WHERE id IN (SELECT id FROM delivery ORDER BY made_ms DESC LIMIT ? OFFSET ?)",
            [Self.slice, Self.newestDeliveries])
    }

    /// Deletes deliveries and problems from before a moment.
    ///
    /// - Returns: how many there were.
    static func deleteDeliveries(before moment: Int64, in db: Database) throws -> Int {
        try db.execute(sql: "DELETE FROM delivery WHERE made_ms < ?", arguments: [moment])
        let count = db.changesCount
        try db.execute(sql: "DELETE FROM standing_problem WHERE since_ms < ?", arguments: [moment])
        return count + db.changesCount
    }
}
