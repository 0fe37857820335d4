import Actions
import Foundation
import History
import Testing

/// What was made up and what was seen never mix.
struct MadeUpTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func open(_ content: HistoryContent, path: String? = nil) throws -> Store {
        try Store(path: path ?? fixture.path, content: content, wall: Fixture.noon, clock: Fixture.clock)
    }

    /// A made-up history with one session.
    private func makeUp(_ path: String? = nil, id: String = "a") throws {
        let store = try open(.newMadeUp(seed: 7), path: path)
        let writer = try HistoryWriter(store: store, model: Fixture.model, makesUp: true) { Fixture.clock }
        writer.enqueue(Fixture.session(id, reason: .idle), now: .now)
        _ = try writer.flush(now: .now, wall: Fixture.noon)
        try store.close()
    }

    /// A history of something that was seen.
    private func see(_ path: String? = nil) throws {
        let store = try open(.seen, path: path)
        let writer = try HistoryWriter(store: store, model: Fixture.model) { Fixture.clock }
        writer.enqueue(Fixture.session("b", reason: .idle), now: .now)
        _ = try writer.flush(now: .now, wall: Fixture.noon)
        try store.close()
    }

    private var sessions: String { get throws { try sqlite3(fixture.path, "SELECT id FROM session ORDER BY id") } }

    @Test func `the mark is in the file, and in everything that is told of it`() throws {
        try makeUp()
        #expect(try sqlite3(fixture.path, "SELECT v FROM meta WHERE k = 'made_up'") == "7")
        let query = try HistoryQuery(path: fixture.path)
        #expect(try query.isMadeUp() && query.summary().madeUp == true)
        var marks: [ExportValue] = []
        try query.export { row in if row.table == .about { marks.append(row["made_up"]) } }
        #expect(marks == [.integer(1)])
        let other = fixture.directory.appending(path: "seen.db").path
        try see(other)
        #expect(try HistoryQuery(path: other).summary().madeUp == nil)
    }

    @Test func `a node refuses a made-up history before it changes anything`() throws {
        try makeUp()
        let before = try Data(contentsOf: URL(filePath: fixture.path))
        #expect(throws: HistoryError.madeUp(path: fixture.path)) { try open(.seen) }
        #expect(try Data(contentsOf: URL(filePath: fixture.path)) == before)
    }

    @Test func `of what is recognised beside a made-up history nothing is stored`() throws {
        try makeUp()
        let store = try open(.madeUp)
        let writer = try HistoryWriter(store: store, model: Fixture.model) { Fixture.clock }
        let batch = writer.enqueue(.started(Fixture.session("c")), now: .now)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: .now)
        #expect(try writer.flush(now: .now, wall: Fixture.noon) == nil)
        #expect(writer.committedBatch >= batch && !writer.hasPending, "whoever waits for the disk goes on")
        try store.close()
        #expect(try sessions == "a")
        #expect(try sqlite3(fixture.path, "SELECT count(*) FROM prediction") == "0")
    }

    @Test func `a history of what was seen is neither replaced nor added to`() throws {
        try see()
        #expect(throws: HistoryError.notMadeUp(path: fixture.path)) { try open(.newMadeUp(seed: 1)) }
        #expect(throws: HistoryError.notMadeUp(path: fixture.path)) { try open(.madeUp) }
        let store = try open(.any)
        #expect(throws: HistoryError.notMadeUp(path: fixture.path)) {
            try HistoryWriter(store: store, model: Fixture.model, makesUp: true)
        }
        try store.close()
        #expect(try sessions == "b")
        let none = fixture.directory.appending(path: "none.db").path
        #expect(throws: HistoryError.missing(path: none)) { try self.open(.madeUp, path: none) }
    }

    @Test func `a made-up history takes the place of an earlier one`() throws {
        try makeUp()
        try makeUp(id: "d")
        #expect(try sessions == "d")
    }

    @Test(arguments: [true, false]) func `an import does not mix them`(isMadeUp: Bool) throws {
        let other = fixture.directory.appending(path: "other.db").path
        if isMadeUp { try makeUp(other) } else { try see(other) }
        if isMadeUp { try see() } else { try makeUp() }
        var rows: [ExportRow] = []
        try HistoryQuery(path: other).export { rows.append($0) }
        let before = try sessions
        let store = try open(.any)
        var next = rows.makeIterator()
        #expect(throws: ImportError.self) { try store.importing { next.next() } }
        try store.close()
        #expect(try sessions == before)
    }

    @Test func `made-up exports go into made-up histories`() throws {
        let other = fixture.directory.appending(path: "other.db").path
        try makeUp(other, id: "e")
        try makeUp()
        var rows: [ExportRow] = []
        try HistoryQuery(path: other).export { rows.append($0) }
        let store = try open(.madeUp)
        var next = rows.makeIterator()
        _ = try store.importing { next.next() }
        try store.close()
        #expect(try sessions == "a\ne")
    }

    @Test(arguments: [true, false]) func `a copy of the one kind is not restored over the other`(isMadeUp: Bool) throws
    {
        let copy = fixture.directory.appending(path: "copy.db").path
        if isMadeUp { try makeUp(copy) } else { try see(copy) }
        if isMadeUp { try see() } else { try makeUp() }
        let before = try sessions
        #expect(throws: HistoryError.self) { try Store.restore(copy, to: fixture.path) }
        #expect(try sessions == before)
    }

    @Test func `what is saved of a damaged made-up history keeps the mark`() throws {
        try makeUp()
        let handle = try FileHandle(forUpdating: URL(filePath: fixture.path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size - 4096 * 2)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096 * 2))
        try handle.close()
        let store = try open(.any)
        let isSetAside = store.openingEvents.contains { if case .setAside = $0 { true } else { false } }
        #expect(isSetAside && store.isMadeUp)
        try store.close()
    }
}
