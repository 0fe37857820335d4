import GRDB
import Records

extension HistoryQuery {
    /// For how long each camera was watched, seconds. A quarter of an hour lies in the filter's span if it began in it.
    ///
    /// - Throws: ``HistoryError``.
    public func watchedSeconds(_ filter: HistoryFilter = HistoryFilter()) throws -> [String: Double] {
        try read { db in
            guard try db.tableExists("occupancy") else { return [:] }
            let condition = filter.startCondition()
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT camera, total(watched_seconds) AS seconds FROM occupancy WHERE \(condition.sql) GROUP BY camera
                    """, arguments: condition.arguments)
            return Dictionary(rows.map { ($0.text("camera"), $0.number("seconds")) }) { $1 }
        }
    }
}
