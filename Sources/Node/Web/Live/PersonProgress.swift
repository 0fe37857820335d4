import Actions
import Foundation
import Records

/// Follows what one person does, from the events of the chain.
package struct PersonProgress {
    /// An open set without a repetition for this long is taken for ended. Sets end much sooner; this covers sets
    /// that ended before their session was announced.
    private static let longestPause = 20.0

    private(set) var label = PseudoLabel.starting.rawValue
    private(set) var confidence: Float = 0
    /// When the label began to hold.
    package private(set) var since: Date
    /// The zone of the picture that the person is in; `nil` outside all zones.
    package var zone: String?
    private var session: Session?
    private var endedSets: Set<Int> = []

    /// - Parameter since: when the person appeared.
    package init(since: Date) { self.since = since }

    /// Takes over a classified window that ends at `time`.
    package mutating func add(_ prediction: Prediction, at time: Date) {
        confidence = prediction.confidence
        guard prediction.label != label else { return }
        label = prediction.label
        since = time
    }

    /// Takes over what happened to the person's session.
    package mutating func add(_ event: SessionEvent) {
        switch event {
        case .started(let session), .updated(let session), .split(let session, _): self.session = session
        case .setEnded(let set, let session):
            endedSets.insert(set.number)
            self.session = session
        case .ended, .handedOver: (session, endedSets) = (nil, [])
        case .merged(let session, _):
            self.session = session
            endedSets = Set(session.sets.dropLast().map(\.number))
        }
    }

    /// What the page shows of this person.
    ///
    /// - Parameter now: the time of the newest frame.
    package func shown(track: Int, isProminent: Bool, now: Date) -> CameraLive.Person {
        let sets = session?.sets ?? []
        let open = sets.last.flatMap { set in
            endedSets.contains(set.number) || now.timeIntervalSince(set.end) > Self.longestPause ? nil : set
        }
        let ended = open == nil ? sets : sets.dropLast()
        return CameraLive.Person(
            track: track, prominent: isProminent, label: label,
            confidence: Double(confidence).rounded(decimals: 3), zone: zone,
            set: open.map {
                CameraLive.OpenSet(
                    number: $0.number, label: $0.label, reps: $0.reps, start: Timestamp.milliseconds($0.start),
                    form: $0.form, confidence: $0.confidence)
            },
            restSince: open == nil ? ended.last.map { Timestamp.milliseconds($0.end) } : nil,
            sets: ended.map {
                CameraLive.EndedSet(
                    number: $0.number, label: $0.label, reps: $0.reps,
                    seconds: $0.end.timeIntervalSince($0.start).rounded(decimals: 1), form: $0.form)
            })
    }
}
