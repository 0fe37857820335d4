import Foundation
import TemporaryFolder
import Testing

import Agent

@Suite struct HostTests {
    /// What a Raspberry Pi's firmware says: the low four bits are now, the higher ones since the start.
    @Test(arguments: [("0", false), ("50005", true), ("4\n", true), ("0x8", true), ("f0000", false), ("no", nil)])
    func `scenario 38: a processor that is slowed down is told from one that was`(text: String, isNow: Bool?) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("get_throttled")
        try Data(text.utf8).write(to: file)
        #expect(Host.isThrottled(file: file.path) == isNow)
    }
}
