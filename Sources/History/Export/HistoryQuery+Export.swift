import Foundation
import GRDB

extension ExportTable {
    /// What stands in `about`, so that a reader knows what it has.
    public static let format = "spotter.history"
    /// Counts changes that an older program could not read.
    public static let version: Int64 = 1
}

extension HistoryQuery {
    /// Hands over the whole history row by row, table by table, as it stands at one moment; memory does not grow with
    /// it. The record log is not part of it: it belongs to one epoch of one file, which only a backup carries on.
    public func export(wall: Date = Date(), each: (ExportRow) throws -> Void) throws {
        try read { db in
            try each(Self.about(wall, in: db))
            for table in ExportTable.allCases {
                guard let place = table.place, try db.tableExists(place.table) else { continue }
                let columns = table.columns.map { "\($0.source) AS \"\($0.name)\"" }.joined(separator: ", ")
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT \(columns) FROM \(place.table) ORDER BY \(place.order)")
                while let row = try rows.next() {
                    let values = table.columns.enumerated().map { place, column in column.value(row[place]) }
                    try each(ExportRow(table, values))
                }
            }
        }
    }

    private static func about(_ wall: Date, in db: Database) throws -> ExportRow {
        let seq = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0
        return ExportRow(
            .about,
            [
                .text(ExportTable.format), .integer(ExportTable.version),
                .text(try Meta.value(.nodeId, in: db) ?? ""), .text(try Meta.value(.epoch, in: db) ?? ""),
                .integer(seq), try Meta.value(.timeZone, in: db).map { .text($0) } ?? .none,
                .text(Timestamp.text(wall)),
            ])
    }
}

extension ExportTable.Column {
    fileprivate func value(_ stored: DatabaseValue) -> ExportValue {
        switch (kind, stored.storage) {
        case (_, .null): .none
        case (.moment, .int64(let milliseconds)): .text(Timestamp.text(milliseconds: milliseconds))
        case (.number, .double(let number)): .number(number.rounded(decimals: 6))
        case (.number, .int64(let number)): .number(Double(number))
        case (_, .int64(let number)): .integer(number)
        case (_, .double(let number)): number.isFinite ? .number(number) : .none
        case (_, .string(let text)): .text(text)
        case (_, .blob): .none
        }
    }
}
