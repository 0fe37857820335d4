import Foundation
import TestSupport
import Testing

import Agent

@Suite struct HostTests {
    /// A Raspberry Pi's throttling flags: the low four bits are the present state, the higher ones that since boot.
    @Test(arguments: [("0", false), ("50005", true), ("4\n", true), ("0x8", true), ("f0000", false), ("no", nil)])
    func `scenario 38: present throttling is distinguished from earlier throttling`(text: String, isNow: Bool?) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("get_throttled")
        try Data(text.utf8).write(to: file)
        #expect(Host.isThrottled(file: file.path) == isNow)
    }
}
