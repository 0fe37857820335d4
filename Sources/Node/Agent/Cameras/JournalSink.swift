import Actions
import Foundation
import Logging
import Records
import Synchronization

/// What the log says about people: a line when a session begins, and one when it ends.
package struct JournalSink: ResultSink {
    private let camera: String
    private let log: @Sendable (String) -> Void
    private let hour: JournalHour

    /// A sink for one camera's results.
    ///
    /// - Parameter log: receives the lines.
    package init(camera: String, hour: JournalHour, log: @escaping @Sendable (String) -> Void) {
        self.camera = camera
        self.hour = hour
        self.log = log
    }

    /// Logs sessions that begin and end.
    package func receive(_ result: CameraResult) {
        hour.seen(people: result.frameResult.frame.tracks.count)
        write(result.frameResult.events)
    }

    /// Logs the sessions that end with the pipeline.
    package func close(_ ending: CameraEnding) { write(ending.events) }

    private func write(_ events: [SessionEvent]) {
        for event in events {
            let session = event.session
            switch event {
            case .started:
                hour.began()
                let label = session.actions.first.map { " with \($0.label)" } ?? ""
                log("\(camera): person \(session.track) begins\(label), session \(session.id.suffix(8))")
            case .ended: log("\(camera): person \(session.track) ends, session \(session.id.suffix(8)): \(session.sum)")
            case .merged(_, let absorbed):
                hour.merged()
                log(
                    "\(camera): person \(session.track) was known again: session \(absorbed.id.suffix(8)) is part of "
                        + "session \(session.id.suffix(8)) now")
            case .handedOver:
                log(
                    "\(camera): person \(session.track) is counted by another camera, which goes on with session "
                        + "\(session.id.suffix(8))")
            case .split:
                log(
                    "\(camera): somebody else was taken for person \(session.track) and has another number now: session "
                        + "\(session.id.suffix(8)) goes on when person \(session.track) is seen again")
            case .updated, .setEnded: break
            }
        }
    }
}

extension Session {
    /// What was done, in one line: `squat 24, lunge 10 in 3 sets, 12 min 5 s, left`.
    fileprivate var sum: String {
        let done = actions.map { action in
            "\(action.label) \(action.reps.map(String.init) ?? DurationText.of(action.seconds))"
        }
        let count = sets.isEmpty ? "" : " in \(sets.count.counted("set"))"
        let lasted = DurationText.of(max(0, end.timeIntervalSince(start)))
        return (done.isEmpty ? "no exercise" : done.joined(separator: ", ")) + "\(count), \(lasted), "
            + (endReason?.rawValue ?? "open")
    }
}

/// Sums up an hour for the log.
package final class JournalHour: Sendable {
    private struct State {
        var sessions = 0
        var maximumPeople = 0
        var frames: [String: Int] = [:]
        var dropped: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// An hour without anything.
    package init() {}

    func began() { state.withLock { $0.sessions += 1 } }

    /// Two sessions became one. The other one may have been counted in the hour before.
    func merged() { state.withLock { $0.sessions = max(0, $0.sessions - 1) } }

    func seen(people: Int) { state.withLock { $0.maximumPeople = max($0.maximumPeople, people) } }

    /// The line about the hour that ends now; the next one begins.
    ///
    /// - Parameters:
    ///   - cameras: the frames processed and dropped so far.
    ///   - seconds: the length of the hour.
    ///   - waiting: records that wait for the broker; `nil` without one.
    package func line(_ cameras: [String: CameraStatusBoard.Report], seconds: Double, waiting: Int?) -> String {
        state.withLock { state in
            let rates = cameras.keys.sorted().map { name in
                let report = cameras[name] ?? CameraStatusBoard.Report()
                let rate = Double(report.frames - (state.frames[name] ?? 0)) / max(seconds, 1)
                let dropped = report.dropped - (state.dropped[name] ?? 0)
                return "\(name) \(String(format: "%.1f", rate)) frames/s, \(dropped) dropped"
            }
            let sessions = state.sessions.counted("session")
            let people = state.maximumPeople.counted("person", "people")
            state.frames = cameras.mapValues(\.frames)
            state.dropped = cameras.mapValues(\.dropped)
            (state.sessions, state.maximumPeople) = (0, 0)
            let records = waiting.map { "; \($0.counted("record waits", "records wait"))" } ?? ""
            return "the last hour: \(sessions), up to \(people) at once; " + rates.joined(separator: "; ") + records
        }
    }
}

/// Decides which changes of the stride are logged: only those that last for ten seconds, and at most one a minute.
package struct StrideNews {
    private static let lastingSeconds = 10.0
    private static let pauseSeconds = 60.0

    private var told = 1
    private var toldAt = -Double.infinity
    /// The newest stride, and since when.
    private var newest = (stride: 1, since: 0.0)

    /// Every frame was looked at so far.
    package init() {}

    /// Whether the stride is news now.
    ///
    /// - Parameter seconds: a steady time.
    package mutating func isNews(_ stride: Int, at seconds: Double) -> Bool {
        if stride != newest.stride { newest = (stride, seconds) }
        guard stride != told, seconds - newest.since >= Self.lastingSeconds, seconds - toldAt >= Self.pauseSeconds
        else {
            return false
        }
        (told, toldAt) = (stride, seconds)
        return true
    }
}
