import Agent
import Logging
import Messaging
import Testing

@Suite struct NodeLogTests {
    private let lines = LogLines()
    private let start = ContinuousClock.now

    @Test func `an override ends by itself`() {
        let levels = LogLevelOverride(.info)
        levels.set(.trace, for: .seconds(60), now: start)
        #expect(levels.level(at: start + .milliseconds(59_999)) == .trace)
        #expect(levels.level(at: start + .seconds(60)) == .info)
        #expect(levels.level(at: start) == .info, "what is over does not come back")
    }

    @Test func `the last override wins, even if it is shorter`() {
        let levels = LogLevelOverride(.info)
        levels.set(.trace, for: .seconds(600), now: start)
        levels.set(.error, for: .seconds(60), now: start)
        #expect(levels.level(at: start + .seconds(59)) == .error)
        #expect(levels.level(at: start + .seconds(61)) == .info)
    }

    @Test func `every copy of a logger follows the override`() {
        let levels = LogLevelOverride(.warning)
        let logger = NodeLog.logger(lines.logger(), levelOverride: levels)
        var copy = logger
        copy.logLevel = .trace
        copy.info("too early")
        #expect(lines.all == [])
        levels.set(.debug, for: .seconds(100_000))
        logger.debug("seen")
        copy.debug("seen too")
        logger.trace("too small")
        #expect(lines.all == ["debug seen", "debug seen too"])
    }

    @Test func `warnings and errors are passed on without passwords, and nothing else is`() {
        let levels = LogLevelOverride(.trace)
        let payloads = Happenings<LogPayload>()
        levels.onWarning { payloads.add($0) }
        let logger = NodeLog.logger(lines.logger(), levelOverride: levels)
        logger.notice("for the log alone")
        logger.warning("rtsp://anna:pa55word@camera/live is silent")
        logger.error("over")
        #expect(payloads.all.map(\.level) == ["warning", "error"])
        #expect(payloads.all.allSatisfy { !$0.message.contains("pa55word") } && payloads.all.last?.message == "over")
        #expect(lines.all.count == 3)
    }

    @Test func `a line below the log level is not passed on either`() {
        let levels = LogLevelOverride(.error)
        let payloads = Happenings<LogPayload>()
        levels.onWarning { payloads.add($0) }
        NodeLog.logger(lines.logger(), levelOverride: levels).warning("quiet")
        #expect(payloads.all == [] && lines.all == [])
    }
}
