import Agent
import Testing

@Suite struct HeartbeatsTests {
    @Test func `a service that does not go round is stuck, one that has ended is not`() {
        let (heartbeats, start) = (Heartbeats(), ContinuousClock.now)
        for service in ["commits", "storage"] { heartbeats.beat(service, now: start) }
        #expect(heartbeats.stuck(start + .seconds(10), patience: .seconds(10)) == [])
        heartbeats.beat("commits", now: start + .seconds(8))
        #expect(heartbeats.stuck(start + .seconds(11), patience: .seconds(10)) == ["storage"])
        heartbeats.end("storage")
        #expect(heartbeats.stuck(start + .seconds(11), patience: .seconds(10)) == [])
        #expect(heartbeats.stuck(start + .seconds(30), patience: .seconds(10)) == ["commits"])
    }
}
