import Foundation
import Poses

/// The people whom several cameras with overlapping views see at once. One of the cameras counts for each of them: it has the
/// session. The others pass on what they see, so that no set is lost where the person is hidden from the first.
///
/// ``ViewMatcher`` finds out who is who. Where one camera has told of a session already, it counts; where both have, the one
/// whose session began earlier; otherwise the one that sees the person better.
public struct SharedPeople: Sendable {
    /// A person whom the counting camera has not seen for so long, and who has no session there, is free again, seconds.
    private static let forgetSeconds = 15.0
    /// The person is in view of a camera that saw them so shortly before, seconds.
    private static let inViewSeconds = 1.0
    /// What the newest pose weighs in the mean confidence of the joints.
    private static let newestWeight: Float = 0.02

    private struct Seen {
        var last: Double
        /// The mean confidence of the joints, averaged.
        var confidence: Float
        /// The session that was told: its id and start.
        var session: (id: String, start: Date)?
    }

    private struct Handover {
        let session: String
        var isSent = false
    }

    /// The cameras that see a part of the floor that each camera sees, by its id.
    private let overlaps: [String: Set<String>]
    private var matcher = ViewMatcher()
    private var seen: [ViewedPerson: Seen] = [:]
    /// For each person whom another camera counts, that camera's person.
    private var counted: [ViewedPerson: ViewedPerson] = [:]
    /// The told session of a person whom another camera counts, which becomes a part of the one there.
    private var handovers: [ViewedPerson: Handover] = [:]
    private var orders: [String: [ViewOrder]] = [:]

    /// - Parameter overlaps: for each camera those whose views overlap with its own; one side is enough.
    public init(overlaps: [String: [String]]) {
        var both: [String: Set<String>] = [:]
        for (camera, others) in overlaps {
            for other in others where other != camera {
                both[camera, default: []].insert(other)
                both[other, default: []].insert(camera)
            }
        }
        self.overlaps = both
    }

    /// Takes what a camera's chain has found in a frame, and lets it do what follows from other cameras' views.
    ///
    /// - Parameter origin: the wall-clock time of the source's time 0.
    /// - Returns: the result with the changes of sessions that followed.
    public mutating func exchange(
        _ result: RecognitionChain.FrameResult, of chain: inout RecognitionChain, camera: String, origin: Date
    ) -> RecognitionChain.FrameResult {
        guard overlaps[camera] != nil else { return result }
        let (orders, doubles) = receive(result, by: camera, origin: origin)
        let done = chain.follow(orders)
        forward(done.elsewhere, by: camera)
        return result.adding(done.events, elsewhere: done.elsewhere, doubles: doubles)
    }

    /// Ends a camera's chain, after it has taken what others have seen.
    ///
    /// - Returns: the changes of its sessions.
    public mutating func close(
        _ chain: inout RecognitionChain, _ reason: Session.EndReason, camera: String
    ) -> [SessionEvent] {
        let done = chain.follow(takeOrders(of: camera))
        let ended = chain.end(reason)
        forward(done.elsewhere + ended.elsewhere, by: camera)
        end(camera)
        return done.events + ended.events
    }

    /// - Returns: what the camera's chain has to do, and which of its people the counting camera sees as well right now.
    private mutating func receive(
        _ result: RecognitionChain.FrameResult, by camera: String, origin: Date
    ) -> (orders: [ViewOrder], doubles: Set<Int>) {
        let time = origin.addingTimeInterval(result.frame.time).timeIntervalSince1970
        for link in result.links { rename(ViewedPerson(camera: camera, track: link.from), to: link.to) }
        if result.jump?.isBackward == true { end(camera) }
        matcher.see(result.frame, by: camera, at: time)
        for track in result.frame.measured { note(track, by: camera, at: time) }
        note(result.events, by: camera)
        forward(result.elsewhere, by: camera)
        for pair in matcher.decide(overlap: { [overlaps] in overlaps[$0]?.contains($1) == true }) {
            match(pair.first, pair.second)
        }
        release(at: time)
        return (takeOrders(of: camera), doubles(of: camera, at: time))
    }

    /// What a camera's chain has to do. It is told once.
    private mutating func takeOrders(of camera: String) -> [ViewOrder] { orders.removeValue(forKey: camera) ?? [] }

    /// Passes on what a camera has seen of people whom another one counts.
    private mutating func forward(_ events: [SessionEvent], by camera: String) {
        for event in events {
            let person = ViewedPerson(camera: camera, track: event.session.track)
            guard let counting = counted[person] else { continue }
            var news = ViewNews()
            if let handover = handovers[person], !handover.isSent {
                news.absorbs = handover.session
                handovers[person]?.isSent = true
            }
            news.isBetter = confidence(of: person) > confidence(of: counting)
            news.activeUntil = event.session.end
            switch event {
            case .setEnded(let set, _): news.sets = [set]
            case .handedOver(let session, let open): news.sets = session.sets.filter { $0.number != open }
            case .started, .updated, .merged, .split, .ended: break
            }
            orders[counting.camera, default: []].append(.take(news, track: counting.track))
        }
    }

    /// A camera has ended or begins anew: whom it has seen is nobody else's person any more.
    private mutating func end(_ camera: String) {
        matcher.forget(camera: camera)
        for (person, counting) in counted where person.camera == camera || counting.camera == camera {
            free(person)
        }
        seen = seen.filter { $0.key.camera != camera }
        orders[camera] = nil
    }

    /// Makes two people one, where they are not yet.
    private mutating func match(_ first: ViewedPerson, _ second: ViewedPerson) {
        guard counted[first] == nil, counted[second] == nil, let mine = seen[first], let theirs = seen[second]
        else { return }
        let isFirst: Bool
        switch (mine.session, theirs.session) {
        case (let mine?, let theirs?): isFirst = mine.start <= theirs.start
        case (.some, nil): isFirst = true
        case (nil, .some): isFirst = false
        case (nil, nil): isFirst = mine.confidence >= theirs.confidence
        }
        let (counting, other) = isFirst ? (first, second) : (second, first)
        // Nobody counts for a person and is counted by another.
        guard !counted.values.contains(other) else { return }
        counted[other] = counting
        handovers[other] = seen[other]?.session.map { Handover(session: $0.id) }
        seen[other]?.session = nil
        orders[other.camera, default: []].append(.leave(track: other.track))
    }

    private mutating func note(_ track: Track, by camera: String, at time: Double) {
        let person = ViewedPerson(camera: camera, track: track.id)
        let newest = track.pose.meanConfidence
        var state = seen[person] ?? Seen(last: time, confidence: newest)
        state.last = time
        state.confidence += Self.newestWeight * (newest - state.confidence)
        seen[person] = state
    }

    private mutating func note(_ events: [SessionEvent], by camera: String) {
        for event in events {
            let person = ViewedPerson(camera: camera, track: event.session.track)
            if case .ended = event {
                seen[person]?.session = nil
            } else {
                seen[person]?.session = (event.session.id, event.session.start)
            }
        }
    }

    /// A person turned out to be one who was here before. What was told of either goes to the counting camera, if there is one.
    private mutating func rename(_ person: ViewedPerson, to track: Int) {
        let known = ViewedPerson(camera: person.camera, track: track)
        let (earlier, later) = (seen[known]?.session, seen[person]?.session)
        matcher.rename(person, to: track)
        if let state = seen.removeValue(forKey: person) { seen[known] = state }
        let handover = handovers.removeValue(forKey: person)
        for (other, counting) in counted where counting == person { counted[other] = known }
        let counting = counted.removeValue(forKey: person)
        if counted[known] != nil {
            if let later { handovers[known] = Handover(session: later.id) }
        } else if let counting, counting != known {
            counted[known] = counting
            handovers[known] = earlier.map { Handover(session: $0.id) } ?? handover
            orders[known.camera, default: []].append(.leave(track: track))
        } else {
            seen[known]?.session = later ?? earlier
            return
        }
        seen[known]?.session = nil
    }

    /// Frees those whom the counting camera has lost for good.
    private mutating func release(at time: Double) {
        for (person, counting) in counted {
            let state = seen[counting]
            let isLost = state.map { time - $0.last > Self.forgetSeconds && $0.session == nil } ?? true
            if isLost { free(person) }
        }
        seen = seen.filter { time - $0.value.last <= Self.forgetSeconds || $0.value.session != nil }
    }

    private mutating func free(_ person: ViewedPerson) {
        guard let counting = counted.removeValue(forKey: person) else { return }
        let handover = handovers.removeValue(forKey: person)
        let isWaiting = orders[counting.camera]?.contains { order in
            if case .take(let news, _) = order {
                news.absorbs != nil && news.absorbs == handover?.session
            } else {
                false
            }
        }
        let goesOn = handover.map { !$0.isSent || isWaiting == true } ?? false
        orders[person.camera, default: []].append(.comeBack(track: person.track, goesOn: goesOn))
    }

    private func confidence(of person: ViewedPerson) -> Float { seen[person]?.confidence ?? 0 }

    private func doubles(of camera: String, at time: Double) -> Set<Int> {
        Set(
            counted.compactMap { person, counting in
                guard person.camera == camera, let last = seen[counting]?.last else { return nil }
                return abs(time - last) <= Self.inViewSeconds ? person.track : nil
            })
    }
}
