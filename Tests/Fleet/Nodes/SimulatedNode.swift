import Actions
import Contract
import Foundation
import History
import Messaging
import Records

/// One node without cameras: a real history and a real publisher, fed with people who were made up.
///
/// A node belongs to the thread of its ``Worker``.
final class SimulatedNode {
    /// Roughly how many records a session makes with its sums and corrections.
    private static let recordsPerSession = 3.6
    private static let maximumOpen = 60

    let number: Int
    let id: String
    let settings: FleetSettings
    let store: Store
    let publisher: Publisher
    let writer: HistoryWriter
    /// Records made in this run, also before the node was restored.
    private(set) var made: Int
    /// A backup that waits to be restored.
    var backup: (path: String, due: ContinuousClock.Instant)?
    /// The ids of the last sessions that ended and still exist, the newest last.
    var finished: [String] = []
    /// The newest position, and the one that was acknowledged when the history was opened.
    private var lastSeq: Int64
    private let ackedAtOpening: Int64
    private var dice: Dice
    private var people: [Person] = []
    private var tracks = 0
    /// The camera that delivers no pictures now; `nil` for none.
    private var absent: String?
    private let phase: Double
    private var isMaking = true
    private var nextHealth: ContinuousClock.Instant

    /// Someone in front of a camera, and how many sets of the plan are over.
    private struct Person {
        let plan: SessionPlan
        var done = 0
    }

    /// - Parameter made: the records that an earlier life of the node made in this run.
    init(_ number: Int, _ settings: FleetSettings, made: Int = 0) throws {
        self.number = number
        self.settings = settings
        self.made = made
        id = Self.id(number)
        store = try Self.store(number, settings)
        writer = try HistoryWriter(
            store: store, model: ModelStamp(id: "gym14@9f2c41", framesPerSecond: SessionPlan.framesPerSecond),
            clock: { SimulatedNode.clock() })
        publisher = try Self.publisher(number, settings, store: store)
        lastSeq = try store.records.lastSeq()
        ackedAtOpening = try store.records.cursor(of: "hq")
        var dice = Dice(seed: settings.seed &* 1_000_003 &+ UInt64(number) &* 31 &+ UInt64(made))
        phase = dice.number(0...Self.recordsPerSession)
        nextHealth = ContinuousClock.now + .seconds(dice.number(0...30))
        self.dice = dice
    }

    var isOnline: Bool { publisher.report.isOnline }
    var pending: Int { max(0, Int(lastSeq - max(ackedAtOpening, publisher.report.ackedSeq))) }

    func start() {
        publisher.info(info)
        publisher.start()
    }

    /// Lets the people go on, commits and sends what is due.
    func step(_ now: ContinuousClock.Instant) throws {
        let moment = settings.simulated(now, node: number)
        if isMaking, isOwing(now) { begin(moment) }
        advance(to: moment)
        if let commit = try writer.commitIfDue(now: now, wall: Date()) { try committed(commit) }
        if now >= nextHealth {
            nextHealth = now + .seconds(30)
            publisher.health(health(now))
        }
    }

    /// Sends everybody home and writes everything. The node makes no more records, but goes on publishing.
    func finish() throws {
        isMaking = false
        for person in people { end(person, reason: .stopped) }
        people = []
        if let commit = try writer.flush(now: .now, wall: Date()) { try committed(commit) }
    }

    /// Counts records that are in the log, and wakes the publisher.
    func wrote(_ records: Int) {
        guard records > 0 else { return }
        made += records
        lastSeq += Int64(records)
        publisher.recordsAvailable()
    }

    /// Whether the node has made fewer records than its rate asks for.
    private func isOwing(_ now: ContinuousClock.Instant) -> Bool {
        let elapsed = (now - settings.start).inSeconds
        guard elapsed < settings.seconds, people.count < Self.maximumOpen else { return false }
        let promised = Double(made) + Self.recordsPerSession * Double(people.count)
        return settings.recordsPerSecond * elapsed - phase > promised
    }

    private func begin(_ moment: Date) {
        tracks += 1
        let person = Person(plan: SessionPlan(at: moment, track: tracks, cameras: cameras, dice: &dice))
        people.append(person)
        writer.enqueue(.started(person.plan.session(sets: 0)), now: .now)
        if dice.chance(0.1) { unplugOrPlug(moment) }
    }

    private func unplugOrPlug(_ moment: Date) {
        if let camera = absent {
            writer.enqueue(.present(camera: camera, at: moment), now: .now)
            absent = nil
        } else {
            let camera = cameras[dice.count(0...cameras.count - 1)]
            writer.enqueue(
                .gone(camera: camera, at: moment, reason: dice.chance(0.5) ? "unplugged" : CameraAbsence.switchedOff),
                now: .now)
            absent = camera
        }
    }

    private func advance(to moment: Date) {
        for place in people.indices {
            let plan = people[place].plan
            while people[place].done < plan.sets.count, plan.sets[people[place].done].end <= moment {
                let set = plan.sets[people[place].done]
                people[place].done += 1
                writer.enqueue(.setEnded(set, in: plan.session(sets: people[place].done)), now: .now)
            }
        }
        for person in people where person.plan.end <= moment { end(person, reason: person.plan.reason) }
        people.removeAll { $0.plan.end <= moment }
    }

    private func end(_ person: Person, reason: Session.EndReason) {
        let session = person.plan.ended(sets: person.done, reason: reason)
        writer.enqueue(.ended(session), now: .now)
        for credited in person.plan.predictions(of: session) {
            writer.credit(credited.prediction, camera: session.camera, wall: credited.end, now: .now)
        }
    }

    /// Sends what is on disk. Now and then a person corrects the last set of a session that has ended.
    private func committed(_ commit: Commit) throws {
        wrote(commit.records)
        for session in commit.sessions where session.endReason != nil {
            finished.append(session.id)
            if finished.count > 20 { finished.removeFirst() }
            guard let set = session.sets.last, dice.chance(0.1) else { continue }
            try store.correctSet(
                set.number, of: session.id, to: .to(reps: set.reps + 2, loadKg: 42.5, rpe: 8.5), wall: Date(),
                clock: .synced)
            wrote(1)
        }
    }
}
