import Foundation
import GRDB
import Records

extension ExportTable {
    /// The format named in the table `about`.
    public static let format = "spotter.history"
    /// The version of the format. It grows with changes that older programs cannot read.
    public static let version: Int64 = 1
}

extension HistoryQuery {
    /// Passes the whole history to `each`, table by table and row by row, as it was at one moment. Memory use does not
    /// grow with its size. The record log is not exported, because it belongs to one epoch of one file; only a backup
    /// preserves it.
    ///
    /// - Throws: ``HistoryError``, or the error of `each`.
    public func export(wall: Date = Date(), each: (ExportRow) throws -> Void) throws {
        try read { db in
            try each(Self.about(wall, in: db))
            for table in ExportTable.allCases {
                guard let place = table.place, try db.tableExists(place.table) else { continue }
                let stored = Set(try db.columns(in: place.table).map(\.name))
                let columnsOfTable = table.columns
                let columns = columnsOfTable.map { column -> String in
                    let isMissing = !stored.contains(column.source)
                    let standard = ExportTable.younger[column.source] ?? (column.isOptional ? "NULL" : nil)
                    let expression = (isMissing ? standard : nil) ?? table.expression(of: column)
                    return "\(expression) AS \"\(column.name)\""
                }.joined(separator: ", ")
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT \(columns) FROM \(place.table) ORDER BY \(place.order)")
                while let row = try rows.next() {
                    let values = columnsOfTable.indices.map { columnsOfTable[$0].value(row[$0]) }
                    let exported = ExportRow(table, values)
                    try each(table == .workoutSteps ? Self.unpacked(exported, in: db) : exported)
                }
            }
        }
    }

    /// A step with its measurements in the form of an export, which names each of them.
    private static func unpacked(_ row: ExportRow, in db: Database) throws -> ExportRow {
        guard let place = row.table.columns.firstIndex(where: { $0.name == "measured" }),
            case .text(let stored) = row.values[place], case .text(let workout) = row["workout"],
            case .integer(let number) = row["number"], PackedText.lines(stored) != nil,
            try stored != "[]" || db.tableExists("workout_rep")
        else { return row }
        let measured = try StoredWorkouts.measured(ofStep: Int(number), of: workout, in: db)
        guard !measured.isEmpty else { return row }
        var values = row.values
        values[place] = .text(try JSONText.encode(measured))
        return ExportRow(row.table, values)
    }

    /// How many rows follow the first one.
    private static func followingRows(in db: Database) throws -> Int {
        try ExportTable.allCases.reduce(0) { sum, table in
            guard let place = table.place, try db.tableExists(place.table) else { return sum }
            return try sum + (Int.fetchOne(db, sql: "SELECT count(*) FROM \(place.table)") ?? 0)
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
                .text(Timestamp.text(wall)), try Meta.value(.madeUp, in: db) == nil ? .none : .integer(1),
                .integer(Int64(try followingRows(in: db))),
            ])
    }
}

extension ExportTable {
    /// Columns that an older history does not have and that must not be empty, and what stands for them.
    fileprivate static let younger = ["measured": "'[]'", "cues": "'[]'"]

    /// How a column is read. A day's sums are below nothing where a correction took frames that the day before holds. An
    /// end is before its start where the clock was set back in between, and no import takes that.
    fileprivate func expression(of column: Column) -> String {
        if self == .dayActions, column.kind != .text { return "max(0, \(column.source))" }
        guard column.name == "end", columns.contains(where: { $0.name == "start" }) else { return column.source }
        return "ifnull(max(start_ms, end_ms), end_ms)"
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
