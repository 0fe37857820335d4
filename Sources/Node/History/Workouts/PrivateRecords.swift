import Contract
import Foundation
import GRDB
import Records
import Workouts

/// Takes out of the record log what earlier versions wrote there of prescriptions: a receiver that asks for old records
/// again must not get names and pain either.
enum PrivateRecords {
    static func redact(in db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT seq, body FROM record
                WHERE type = 'workout' AND json_extract(body, '$.prescription') IS NOT NULL
                """)
        for row in rows {
            // What cannot be read is no workout of this program, and stays as it is.
            guard var body = try? JSONDecoder().decode(WorkoutBody.self, from: Data(row.text("body").utf8)) else {
                continue
            }
            body.isPrivate = true
            try db.execute(
                sql: "UPDATE record SET body = ? WHERE seq = ?",
                arguments: [try JSONText.encode(body.forReceivers), row.position("seq")])
        }
    }
}
