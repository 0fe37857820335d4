import Agent
import Testing

@Suite struct HeartbeatsTests {
    @Test func `a service whose loop makes no progress is stuck, one that has ended is not`() {
        let (heartbeats, start) = (Heartbeats(), ContinuousClock.now)
        for service in ["commits", "storage"] { heartbeats.beat(service, now: start) }
        #expect(heartbeats.stuck(start + .seconds(10), patience: .seconds(10)) == [])
        heartbeats.beat("commits", now: start + .seconds(8))
        #expect(heartbeats.stuck(start + .seconds(11), patience: .seconds(10)) == ["storage"])
        heartbeats.end("storage")
        #expect(heartbeats.stuck(start + .seconds(11), patience: .seconds(10)) == [])
        #expect(heartbeats.stuck(start + .seconds(30), patience: .seconds(10)) == ["commits"])
    }

    @Test func `a service that has ended is watched again when it begins again`() {
        let (heartbeats, start) = (Heartbeats(), ContinuousClock.now)
        heartbeats.beat("metrics", now: start)
        heartbeats.end("metrics")
        heartbeats.end("never begun")
        #expect(heartbeats.stuck(start + .seconds(60), patience: .seconds(10)) == [])
        heartbeats.beat("metrics", now: start + .seconds(60))
        #expect(heartbeats.stuck(start + .seconds(71), patience: .seconds(10)) == ["metrics"])
    }

    @Test func `stuck services are listed in order of their names`() {
        let (heartbeats, start) = (Heartbeats(), ContinuousClock.now)
        for service in ["storage", "commits", "metrics"] { heartbeats.beat(service, now: start) }
        #expect(heartbeats.stuck(start + .seconds(11), patience: .seconds(10)) == ["commits", "metrics", "storage"])
    }
}
