import Agent
import Configuration
import Foundation
import Messaging
import Testing

/// What a node says of itself in its birth document.
@Suite struct NodeInfoTests {
    @Test(arguments: [("Europe/Berlin", "Europe/Berlin"), ("", TimeZone.current.identifier)])
    func `a node names the time zone of its days: the configured one, or else the system's`(
        configured: String, named: String
    ) throws {
        let fixture = try NodeFixture()
        var configuration = fixture.configuration([])
        configuration.node.timeZone = configured
        let node = try Node(configuration, logger: fixture.log.logger())
        #expect(node.info().tz == named)
    }
}
