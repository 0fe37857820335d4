import Actions
import Foundation
import History
import Poses
import Records

/// Keeps the joints of the people in one camera's sessions, where `history.keep_poses` is on. It never sees pictures.
///
/// A session is recognised some seconds after its first repetition. Everybody's last seconds therefore wait in memory,
/// and are forgotten when no session begins. Place this sink after ``HistorySink``, so that a session is queued for the
/// disk before its poses.
package struct PoseKeeper: ResultSink {
    /// How long joints wait for a session, seconds.
    private static let memorySeconds = 15.0
    /// How much longer they may stay, so that the oldest are not removed one by one, seconds.
    private static let slackSeconds = 5.0
    /// The length of a stored piece, seconds.
    private static let pieceSeconds = 10.0
    /// What is kept before a session's beginning, seconds.
    private static let leadSeconds = 1.0
    /// The least time between two frames, seconds, so that a piece has at most 667.
    private static let minimumInterval = 0.015

    private struct Person {
        /// What waits for a session, or what is not handed over yet.
        var sightings: [PoseSighting] = []
        var newest = -Double.infinity
        /// The open session and the wall-clock time of its source's time 0, which stays as it was at its beginning.
        var session: (id: String, origin: Date)?
    }

    private let writer: HistoryWriter
    private var people: [Int: Person] = [:]
    private var widthPixels = 0
    private var heightPixels = 0

    /// A keeper of one camera's poses.
    package init(writer: HistoryWriter) { self.writer = writer }

    /// Keeps the joints of a frame, and begins and ends with the sessions.
    package mutating func receive(_ result: CameraResult) {
        let (frame, now) = (result.frameResult.frame, result.now)
        for link in result.frameResult.links { join(link, now: now) }
        for event in result.frameResult.events {
            switch event {
            case .merged(let session, _): people[session.track]?.session?.id = session.id
            case .started(let session): begin(session, origin: result.origin, now: now)
            case .ended(let session), .handedOver(let session, _): end(session, now: now)
            case .updated, .setEnded, .split: break
            }
        }
        // The sessions ended with the jump. What waits has times that come again.
        if result.frameResult.jump?.isBackward == true { people.removeAll() }
        (widthPixels, heightPixels) = (frame.widthPixels, frame.heightPixels)
        for track in frame.measured { add(PoseSighting(time: frame.time, pose: track.pose), of: track.id, now: now) }
        forget(before: frame.time - Self.memorySeconds)
    }

    /// Hands over what is left of the sessions that were open.
    package mutating func close(_ ending: CameraEnding) {
        for event in ending.events {
            if case .ended(let session) = event { end(session, now: ending.now) }
        }
        people.removeAll()
    }

    /// The number of people whose joints are in memory.
    package var remembered: Int { people.count }

    /// Goes on with the joints of a track under the number that the person had before.
    private mutating func join(_ link: PersonLink, now: ContinuousClock.Instant) {
        handOver(link.to, now: now)
        guard let later = people.removeValue(forKey: link.from) else { return }
        people[link.to] = Person(session: later.session ?? people[link.to]?.session)
        for sighting in later.sightings { add(sighting, of: link.to, now: now) }
    }

    private mutating func begin(_ session: Session, origin: Date, now: ContinuousClock.Instant) {
        let before = people[session.track]?.sightings ?? []
        let start = session.sets.map(\.start).reduce(session.start, min)
        let first = start.timeIntervalSince(origin) - Self.leadSeconds
        people[session.track] = Person(session: (session.id, origin))
        for sighting in before where sighting.time >= first { add(sighting, of: session.track, now: now) }
    }

    private mutating func end(_ session: Session, now: ContinuousClock.Instant) {
        guard people[session.track]?.session?.id == session.id else { return }
        handOver(session.track, now: now)
        people[session.track]?.session = nil
    }

    private mutating func add(_ sighting: PoseSighting, of track: Int, now: ContinuousClock.Instant) {
        guard sighting.time - (people[track]?.newest ?? -.infinity) >= Self.minimumInterval else { return }
        if people[track]?.session != nil, let first = people[track]?.sightings.first?.time,
            sighting.time - first >= Self.pieceSeconds
        {
            handOver(track, now: now)
        }
        people[track, default: Person()].sightings.append(sighting)
        people[track]?.newest = sighting.time
    }

    /// Queues the gathered part of a session for the disk.
    private mutating func handOver(_ track: Int, now: ContinuousClock.Instant) {
        guard let person = people[track], let session = person.session, let first = person.sightings.first,
            let chunk = PoseChunk(person.sightings, widthPixels: widthPixels, heightPixels: heightPixels)
        else { return }
        people[track]?.sightings = []
        let start = Timestamp.milliseconds(session.origin.addingTimeInterval(first.time))
        writer.keep(
            KeptPoses(
                session: session.id, startMilliseconds: start,
                endMilliseconds: start + Int64(chunk.frames.last?.milliseconds ?? 0), data: chunk.packed),
            now: now)
    }

    /// Removes what waited too long for a session.
    private mutating func forget(before time: Double) {
        for (track, person) in people where person.session == nil {
            if person.newest < time {
                people[track] = nil
            } else if let first = person.sightings.first, first.time < time - Self.slackSeconds {
                people[track]?.sightings.removeAll { $0.time < time }
            }
        }
    }
}
