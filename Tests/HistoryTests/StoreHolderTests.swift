import Foundation
import History
import Testing

/// Readers learn which process writes a history.
@Suite struct StoreHolderTests {
    @Test func `the process that writes a history is known while it is open, and none afterwards`() throws {
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
