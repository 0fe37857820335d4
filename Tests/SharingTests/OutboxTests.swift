import Foundation
import History
import Sharing
import Synchronization
import TestSupport
import Testing
import Workouts

/// Deliveries with a real history and a real receiver.
@Suite struct OutboxTests {
    private let folder: TemporaryFolder
    private let receiver: HTTPReceiver
    private let t0 = ContinuousClock.now

    init() throws {
        folder = try TemporaryFolder()
        receiver = try HTTPReceiver()
    }

    private var path: String { folder.file("spotter.db").path }

    private func open(people: [String] = []) throws -> Store {
        var settings = HistorySettings(timeZone: .gmt, nodeId: "sp-one")
        settings.shares = [ShareRule(recipient: "share club", people: people)]
        return try Store(
            path: path, settings: settings, wall: Example.noon,
            clock: ClockReading(state: .synced, uptimeMs: 5000, boot: "f1f1f1f1"))
    }

    /// A run of the node, which releases the history at its end.
    private func inRun(_ work: (Store) throws -> Void) throws {
        let store = try open()
        try work(store)
        try store.close()
    }

    /// Writes a workout as it begins, and as it is now.
    private func finish(_ workout: Workout, in store: Store) throws {
        let writer = try HistoryWriter(store: store, model: ModelStamp(id: "m", framesPerSecond: 30)) {
            ClockReading(state: .synced, uptimeMs: 5000, boot: "f1f1f1f1")
        }
        for state in [workout.isOpen ? nil : open(workout), workout].compactMap({ $0 }) {
            writer.enqueue(state, events: [], now: t0)
            _ = try writer.flush(now: t0, wall: Example.noon + 230)
        }
    }

    private func open(_ workout: Workout) -> Workout {
        var workout = workout
        workout.endReason = nil
        return workout
    }

    private func outbox(_ store: Store, log: @escaping (String) -> Void = { _ in }) -> Outbox {
        let club = Recipient(name: "club", kind: .webhook, url: receiver.url())
        return Outbox(
            store: store,
            routes: [
                "share club": .init(club, patienceSeconds: 3600), "alert staff": .init(club, patienceSeconds: 3600),
            ], node: Example.node, names: [:], sender: Sender(patienceSeconds: 5), log: log)
    }

    @Test func `each recipient has messages of its own, and those that nobody wants are forgotten`() throws {
        let store = try open()
        let now = Example.noon
        for name in ["alert staff", "share club", "alert gone"] {
            try store.add(Delivery(id: name, recipient: name, message: "{}", made: now))
        }
        func due(_ share: Outbox.Share) throws -> [String] {
            switch share {
            case .all: try store.query.dueDeliveries(at: now, limit: 9).map(\.id)
            case .one(let name): try store.query.dueDeliveries(at: now, limit: 9, for: name).map(\.id)
            case .unwanted:
                try store.query.dueDeliveries(at: now, limit: 9, without: ["alert staff", "share club"]).map(\.id)
            }
        }
        #expect(try due(.all).count == 3)
        #expect(try due(.one("alert staff")) == ["alert staff"] && due(.unwanted) == ["alert gone"])
        let recipient = Recipient(name: "club", kind: .webhook, url: receiver.url())
        var unwanted = Outbox(
            store: store,
            routes: [
                "share club": .init(recipient, patienceSeconds: 3600),
                "alert staff": .init(recipient, patienceSeconds: 3600),
            ], node: Example.node, names: [:], sender: Sender(patienceSeconds: 5), share: .unwanted, log: { _ in })
        unwanted.pass(at: now, isClockRight: true, random: 0)
        #expect(try due(.unwanted).isEmpty && due(.all).count == 2 && receiver.requests.isEmpty)
    }

    @Test func `a named workout is sent once when it has ended, with the same id in every attempt`() throws {
        let store = try open()
        try finish(Example.workout(), in: store)
        var outbox = outbox(store)
        receiver.answer { _ in .status(500, "") }
        let now = Example.noon + 230
        #expect(outbox.pass(at: now, isClockRight: true, random: 0) == 1)
        #expect(outbox.pass(at: now + 14, isClockRight: true, random: 0) == 0)
        receiver.answer { _ in .status(200, "") }
        #expect(outbox.pass(at: now + 15, isClockRight: true, random: 0) == 1)
        #expect(outbox.pass(at: now + 9999, isClockRight: true, random: 0) == 0)
        let ids = receiver.requests.map { $0.headers["webhook-id"] }
        #expect(ids.count == 2 && ids[0] == ids[1] && receiver.requests[1].body.contains("\"name\":\"Anna\""))
        #expect(try store.query.deliveries().isEmpty)
    }

    @Test func `it waits over a restart, doubles its delay, and is given up after its time`() throws {
        receiver.answer { _ in .status(500, "busy") }
        let now = Example.noon + 230
        try inRun { store in
            try finish(Example.workout(), in: store)
            var first = outbox(store)
            first.pass(at: now, isClockRight: true, random: 0)
        }
        let store = try open()
        let lines = Mutex<[String]>([])
        var second = outbox(store) { line in lines.withLock { $0.append(line) } }
        var times: [Double] = []
        for second_ in stride(from: 0.0, through: 4000, by: 5) {
            if second.pass(at: now + second_, isClockRight: true, random: 0) > 0 { times.append(second_) }
        }
        #expect(times == [15, 45, 105, 225, 465, 945, 1905, 3825])
        let left = try #require(try store.query.deliveries().first)
        #expect(left.isGivenUp && left.tries == 9 && left.failure == "the receiver answered HTTP 500: busy")
        #expect(lines.withLock { $0 }.last == "share club: it is given up: the receiver answered HTTP 500: busy")
        #expect(second.pass(at: now + 90_000, isClockRight: true, random: 0) == 0)
    }

    @Test func `nothing is given up while the clock is not trusted`() throws {
        let store = try open()
        try finish(Example.workout(), in: store)
        receiver.answer { _ in .status(500, "") }
        var outbox = outbox(store)
        outbox.pass(at: Example.noon + 1e9, isClockRight: false, random: 0)
        #expect(try store.query.deliveries().first?.isGivenUp == false)
    }

    @Test(arguments: ["nameless", "open", "private", "another"])
    func `what must not leave does not wait`(kind: String) throws {
        let store = try open(people: kind == "another" ? ["bernd"] : [])
        try finish(
            Example.workout(
                name: kind == "nameless" ? nil : "Anna", isOpen: kind == "open", isPrivate: kind == "private"),
            in: store)
        #expect(try store.query.deliveries().isEmpty)
        var outbox = outbox(store)
        #expect(outbox.pass(at: Example.noon + 9999, isClockRight: true) == 0 && receiver.requests.isEmpty)
    }

    @Test func `a name in another letter case is the same person, and a deleted name is sent to nobody`() throws {
        let store = try open(people: ["ANNA"])
        try finish(Example.workout(), in: store)
        #expect(try store.query.deliveries().count == 1)
        #expect(try store.deleteName("anna", wall: Example.noon + 300) == 1)
        #expect(try store.query.deliveries().isEmpty)
    }

    @Test func `a recipient that is not configured any more gets nothing`() throws {
        let store = try open()
        try finish(Example.workout(), in: store)
        var outbox = Outbox(
            store: store, routes: [:], node: Example.node, names: [:], sender: Sender(), log: { _ in })
        outbox.pass(at: Example.noon + 300, isClockRight: true)
        #expect(try store.query.deliveries().isEmpty && receiver.requests.isEmpty)
    }

    private let alert = AlertMessage(
        state: .began, topic: .disk, since: Example.noon, advice: "Make \"room\".")

    @Test func `an alert waits over a restart, goes before workouts, and its problem stands on`() throws {
        let problem = StandingProblem(alert: "staff", topic: "disk", camera: "", since: Example.noon, isTold: true)
        try inRun { store in
            try finish(Example.workout(), in: store)
            var first = outbox(store)
            first.add([("staff", alert)], standing: [problem], at: Example.noon + 230)
        }
        let store = try open()
        #expect(try store.query.standingProblems() == [problem])
        var second = outbox(store)
        #expect(second.pass(at: Example.noon + 240, isClockRight: true) == 2)
        let bodies = receiver.requests.map(\.body)
        #expect(
            bodies.count == 2 && bodies[0].contains("\"type\":\"alert\"") && bodies[0].contains("\"problem\":\"disk\""))
        #expect(bodies[0].contains("Make \\\"room\\\"."))
    }

    @Test func `an alert about a history that cannot be written is sent all the same, and once`() throws {
        let store = try open()
        try store.simulateReadOnly(true)
        var outbox = outbox(store)
        receiver.answer { _ in .status(500, "") }
        outbox.add([("staff", alert)], standing: [], at: Example.noon)
        #expect(outbox.pass(at: Example.noon, isClockRight: true, random: 0) == 1)
        receiver.answer { _ in .status(200, "") }
        #expect(outbox.pass(at: Example.noon + 5, isClockRight: true, random: 0) == 0)
        #expect(outbox.pass(at: Example.noon + 20, isClockRight: true, random: 0) == 1)
        #expect(outbox.pass(at: Example.noon + 9999, isClockRight: true, random: 0) == 0)
        try store.simulateReadOnly(false)
    }

    @Test func `what was sent while the history could not forget it is not sent again`() throws {
        let store = try open()
        try finish(Example.workout(), in: store)
        try store.simulateReadOnly(true)
        var outbox = outbox(store)
        for second in [300.0, 400, 500] { outbox.pass(at: Example.noon + second, isClockRight: true) }
        #expect(receiver.requests.count == 1)
        try store.simulateReadOnly(false)
        outbox.pass(at: Example.noon + 600, isClockRight: true)
        #expect(receiver.requests.count == 1)
    }
}
