import Foundation
import GRDB
import Records

/// A problem that stands, as an alert knows it. It is kept over a restart, so that nothing is told twice.
package struct StandingProblem: Sendable, Equatable {
    /// The alert's name.
    package let alert: String
    /// The problem's code in the configuration.
    package let topic: String
    /// The camera; empty for the whole node.
    package let camera: String
    /// The alarm; empty for other problems.
    package let alarm: String
    /// When it was seen first.
    package let since: Date
    /// Whether somebody was told.
    package let isTold: Bool

    /// A problem of these values.
    package init(
        alert: String, topic: String, camera: String, alarm: String = "", since: Date, isTold: Bool
    ) {
        (self.alert, self.topic, self.camera, self.alarm) = (alert, topic, camera, alarm)
        (self.since, self.isTold) = (since, isTold)
    }
}

extension HistoryQuery {
    /// The problems that stood when they were stored last.
    ///
    /// - Throws: ``HistoryError``.
    package func standingProblems() throws -> [StandingProblem] {
        try read { db in
            guard try db.tableExists("standing_problem") else { return [] }
            return try Row.fetchAll(
                db, sql: "SELECT * FROM standing_problem ORDER BY since_ms, alert, topic, camera, alarm"
            )
            .map { row in
                StandingProblem(
                    alert: row.text("alert"), topic: row.text("topic"), camera: row.text("camera"),
                    alarm: row.text("alarm"),
                    since: Timestamp.date(milliseconds: row.moment("since_ms")), isTold: row.integer("told") != 0)
            }
        }
    }
}

extension Store {
    /// Stores the problems that stand now, and the messages of those that changed, in one transaction.
    ///
    /// - Throws: ``HistoryError``; nothing is stored then.
    package func replaceStandingProblems(_ problems: [StandingProblem], adding deliveries: [Delivery]) throws {
        try write { db in
            try db.execute(sql: "DELETE FROM standing_problem")
            for problem in problems {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO standing_problem VALUES(?, ?, ?, ?, ?, ?)",
                    arguments: [
                        problem.alert, problem.topic, problem.camera, problem.alarm,
                        Timestamp.milliseconds(problem.since), problem.isTold,
                    ])
            }
            for delivery in deliveries { try DeliveryRows.add(delivery, in: db) }
        }
    }
}
