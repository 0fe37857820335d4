import Sink
import Testing

@Suite struct SchemaFilesTests {
    private static let names = SchemaFiles.migrations.map(\.name)

    @Test func `migrations are numbered from 1 and have names and statements of their own`() {
        #expect(SchemaFiles.migrations.map(\.number) == Array(1...SchemaFiles.migrations.count))
        #expect(Set(Self.names).count == Self.names.count)
        #expect(SchemaFiles.migrations.allSatisfy { !$0.sql.isEmpty })
    }

    @Test func `the version counts the migrations that were applied`() throws {
        #expect(try SchemaFiles.version(applied: []) == 0)
        #expect(try SchemaFiles.version(applied: Self.names) == Self.names.count)
        #expect(try SchemaFiles.version(applied: Self.names + ["later"]) == Self.names.count + 1)
    }

    @Test(arguments: [["0001_tables"], ["0001_tables", "0002_sums"], ["tables", "sums"]])
    func `a database of a development version is refused and the error says what to do`(names: [String]) {
        let error = #expect(throws: SchemaError.self) { try SchemaFiles.version(applied: names) }
        #expect(error == .otherOrigin(name: names[0]))
        #expect(error.map { "\($0)" }?.contains("make a new database") == true)
    }
}
