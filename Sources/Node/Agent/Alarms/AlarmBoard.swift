import Actions
import Foundation
import History
import Records
import Synchronization

/// The alarms that somebody must look at, and to whom of ``LyingPerson`` they belong.
package final class AlarmBoard: Sendable {
    /// What has happened to an alarm.
    package struct News: Sendable, Equatable {
        /// What has happened.
        package enum Kind: Sendable { case raised, ended, acknowledged }
        /// What has happened.
        package let kind: Kind
        /// The alarm as it is now.
        package let alarm: Alarm
    }

    private struct Person: Hashable {
        let camera: String
        let number: Int
    }

    private struct State {
        /// By id: the open alarms, and those that were acknowledged while the person still lies there.
        var alarms: [String: Alarm] = [:]
        var people: [Person: String] = [:]
        var news: [News] = []

        mutating func change(_ alarm: Alarm, _ kind: News.Kind) {
            let isInView = people.values.contains(alarm.id)
            alarms[alarm.id] = alarm.isOpen || isInView && alarm.ended == nil ? alarm : nil
            news.append(News(kind: kind, alarm: alarm))
        }

        /// The person is up again.
        mutating func end(_ id: String?, at moment: Date) {
            guard let id, var alarm = alarms[id] else { return }
            alarm.ended = moment
            change(alarm, .ended)
        }
    }

    private let state: Mutex<State>

    /// Goes on with the alarms that were open when the last run ended.
    package init(open: [Alarm] = []) {
        state = Mutex(State(alarms: Dictionary(open.map { ($0.id, $0) }) { $1 }))
    }

    /// The open alarms, the oldest first.
    package var open: [Alarm] {
        state.withLock { $0.alarms.values.filter(\.isOpen).sorted { ($0.raised, $0.id) < ($1.raised, $1.id) } }
    }

    /// Takes what a camera sees.
    ///
    /// - Parameter date: the wall-clock time of a time of the source.
    package func see(_ result: RecognitionChain.FrameResult, camera: String, date: (Double) -> Date) {
        // Who lay there before a jump of the times is told under another number.
        if result.jump != nil { lose(camera) }
        guard !result.lying.isEmpty else { return }
        let now = date(result.frame.time)
        state.withLock { state in
            for person in result.lying {
                let key = Person(camera: camera, number: person.number)
                if person.isUp { state.end(state.people.removeValue(forKey: key), at: now) }
                guard !person.isUp, state.people[key] == nil else { continue }
                // Who lay there before the camera or the node was away lies there still.
                let taken = Set(state.people.values)
                let before = state.alarms.values.filter { $0.camera == camera && $0.isOpen && !taken.contains($0.id) }
                    .min { $0.raised < $1.raised }
                let alarm =
                    before
                    ?? Alarm(
                        id: UUIDv7.string(at: now), camera: camera, zone: person.zone, cause: person.cause,
                        since: date(person.since), raised: now)
                state.people[key] = alarm.id
                guard before == nil else { continue }
                state.alarms[alarm.id] = alarm
                state.news.append(News(kind: .raised, alarm: alarm))
            }
        }
    }

    /// Forgets who is who in front of a camera. What is open stays open.
    package func lose(_ camera: String) {
        state.withLock { state in state.people = state.people.filter { $0.key.camera != camera } }
    }

    /// Acknowledges an alarm if it is open.
    package func acknowledge(_ id: String, at moment: Date) {
        state.withLock { state in
            guard var alarm = state.alarms[id], alarm.isOpen else { return }
            alarm.acknowledged = moment
            state.change(alarm, .acknowledged)
        }
    }

    /// What has happened since the last call.
    package func takeNews() -> [News] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }
}

/// Tells the alarm board what one camera sees.
struct AlarmSink: ResultSink {
    let camera: String
    let board: AlarmBoard

    func receive(_ result: CameraResult) {
        board.see(result.frameResult, camera: camera) { result.date(of: $0) }
    }

    func close(_ ending: CameraEnding) { board.lose(camera) }
}
