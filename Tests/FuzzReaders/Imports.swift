import Foundation
import History
import Synchronization
import Training

extension FuzzReader {
    /// An export for an import into an empty history: lines of JSON or, after lines such as `#sessions`, the CSV files
    /// of a folder. An accepted history must answer every query, start again, and be exported once more.
    static let imports = FuzzReader(name: "imports") { bytes in
        let rows = bytes.first == UInt8(ascii: "#") ? try cells(bytes) : try lines(bytes)
        guard rows.first?.table == .about else { throw ImportError("it does not begin with the row 'about'") }
        let path = try bring(rows)
        defer { for end in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let store = try Store(path: path)
        let writer = try HistoryWriter(store: store, model: ModelStamp(id: "example@0", framesPerSecond: 30))
        _ = try writer.flush(now: .now, wall: Date())
        try ask(store.query)
        try store.close()
    }

    /// - Returns: the path of the resulting history, which is closed.
    private static func bring(_ rows: ArraySlice<ExportRow>) throws -> String {
        var rows = rows
        let store = try emptyStore.withLock { kept in
            defer { kept = nil }
            return try kept ?? Store(path: Scratch.url().appending(path: "imported-\(UUID().uuidString).db").path)
        }
        do {
            _ = try store.importing { rows.popFirst() }
        } catch {
            // Nothing was imported, so the next input can use the same history.
            emptyStore.withLock { $0 = store }
            throw error
        }
        try ask(store.query)
        try store.close()
        return store.path
    }

    /// An empty history. It is reused because creating one takes longer than everything else.
    private static let emptyStore = Mutex<Store?>(nil)

    private static func lines(_ bytes: Data) throws -> ArraySlice<ExportRow> {
        try bytes.split(separator: UInt8(ascii: "\n")).map { try ExportRow(jsonLine: Data($0)) }[...]
    }

    private static func cells(_ bytes: Data) throws -> ArraySlice<ExportRow> {
        try String(decoding: bytes, as: UTF8.self).split(separator: "#").flatMap { part -> [ExportRow] in
            guard let table = ExportTable(rawValue: String(part.prefix { $0 != "\n" })) else { return [] }
            var reader = CSVReader(Data(part.drop { $0 != "\n" }.dropFirst().utf8))
            guard let header = reader.next() else { return [] }
            var rows: [ExportRow] = []
            while let row = reader.next() {
                rows.append(try ExportRow(table, cells: row.fields, header: header.fields))
            }
            return rows
        }[...]
    }

    /// Runs every query of `spotter history`, `session show`, `status` and `export`.
    private static func ask(_ history: HistoryQuery) throws {
        _ = try history.summary()
        let sessions = try history.sessions()
        for session in sessions {
            _ = try history.session(session.id)
            _ = try history.predictions(ofSession: session.id)
        }
        _ = try JSONEncoder().encode(sessions)
        try history.sets { _ = try JSONEncoder().encode($0) }
        _ = try JSONEncoder().encode(history.actions())
        for day in try history.days() { _ = try history.day(day.day, camera: day.camera) }
        try history.predictions { _ = try JSONEncoder().encode($0) }
        try history.export { row in
            let read = try ExportRow(jsonLine: Data(row.json(named: true).utf8))
            precondition(read == row, "a line of an export is not read as it was written")
            _ = row.cells
        }
    }
}
