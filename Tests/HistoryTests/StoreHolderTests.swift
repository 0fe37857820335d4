import Foundation
import History
import Testing

/// Who writes a history, as a reader beside it learns.
@Suite struct StoreHolderTests {
    @Test func `the process that writes a history is known while it is open, and nobody afterwards`() throws {
        let fixture = try Fixture()
        #expect(Store.holder(of: fixture.path) == nil)
        do {
            let store = try fixture.open()
            #expect(Store.holder(of: fixture.path) == getpid())
            #expect(try store.records.gaps(after: 0).count == 0)
            try store.close()
        }
        #expect(Store.holder(of: fixture.path) == nil)
    }
}
