import Foundation
import Records
import Testing

@Suite struct UUIDv7Tests {
    @Test func `an identifier has version 7, its variant, and its time in front`() {
        let id = UUIDv7.string(at: Date(timeIntervalSince1970: 1_645_557_742))
        // The time of the example in RFC 9562, appendix A.6.
        #expect(id.hasPrefix("017f22e2-79b0-7"))
        #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }

    @Test func `later identifiers sort behind earlier ones`() {
        let ids = (0..<50).map { UUIDv7.string(at: Date(timeIntervalSince1970: 1_700_000_000 + Double($0))) }
        #expect(ids == ids.sorted() && Set(ids).count == 50)
    }
}
