import Actions
import Foundation
import History
import NeuralNet
import Records
import Workouts

extension MadeUpWeek {
    /// The model that the sessions name: there was none.
    static let model = ModelStamp(id: "made-up", framesPerSecond: 30)

    /// How much was made up.
    public struct Figures: Sendable, Equatable {
        /// The sessions, their sets, and the workouts.
        public var sessions = 0, sets = 0, workouts = 0
    }

    /// Writes the week into a new history. An earlier one that was made up is replaced.
    ///
    /// - Throws: `HistoryError`, as for a history of what was seen.
    @discardableResult
    public func write(to path: String, settings: HistorySettings = HistorySettings()) throws -> Figures {
        var settings = settings
        settings.timeZone = timeZone
        settings.shares = []
        // A clock that is always right, of a machine that was started with the week.
        let clock = ClockReading(state: .synced, uptimeMs: 0, boot: "5eed5eed")
        let store = try Store(
            path: path, settings: settings, content: .newMadeUp(seed: seed), wall: start, clock: clock)
        do {
            let figures = try write(store, clock)
            try store.close()
            return figures
        } catch {
            try? store.close()
            // A part of a week would stand in the way of the next try.
            Store.removeFiles(path)
            throw error
        }
    }

    private func write(_ store: Store, _ clock: ClockReading) throws -> Figures {
        let writer = try HistoryWriter(store: store, model: Self.model, makesUp: true) { clock }
        var (news, figures) = news()
        news.sort { ($0.at, $0.order) < ($1.at, $1.order) }
        var place = 0
        let origin = ContinuousClock.now
        // A node commits more often; the sums are the same.
        for hour in stride(from: start, to: end, by: 3600) {
            let until = min(hour + 3600, end)
            let now = origin + .milliseconds(Int64(until.timeIntervalSince(start) * 1000))
            var edits: [News] = []
            while place < news.count, news[place].at < until || until == end {
                news[place].write(to: writer, now: origin)
                if news[place].isEdit { edits.append(news[place]) }
                place += 1
            }
            _ = try until == end ? writer.flush(now: now, wall: until) : writer.commitIfDue(now: now, wall: until)
            for edit in edits { try edit.carryOut(in: store, clock: clock) }
        }
        figures.workouts = workouts.count
        return figures
    }

    /// Everything that a node would have stored.
    private func news() -> ([News], Figures) {
        var random = RandomSource(seed: seed, path: 3)
        var figures = Figures()
        var news: [News] = []
        var tracks: [String: Int] = [:]
        for (place, stay) in stays.enumerated() {
            tracks[stay.camera, default: 0] += 1
            let seen = SeenStay(stay, track: tracks[stay.camera] ?? 1, &random)
            news += seen.news
            figures.sessions += 1
            figures.sets += seen.session.sets.count
            // Now and then somebody sees that a count is wrong.
            if place % 97 == 40, let set = seen.session.sets.last, set.reps > 3 {
                let change = SetChange.to(reps: set.reps + (place.isMultiple(of: 2) ? 1 : -1))
                news.append(News(at: seen.session.end + 120, .correction(set.number, seen.session.id, change)))
            }
        }
        news += workouts.map { News(at: $0.end, .workout($0)) } + occupancy()
        news.append(
            News(
                at: absence.time.start,
                .presence(.gone(camera: absence.camera, at: absence.time.start, reason: "unplugged"))))
        news.append(News(at: absence.time.end, .presence(.present(camera: absence.camera, at: absence.time.end))))
        news += alarms(&random)
        return (news.filter { $0.at <= end }, figures)
    }

    /// How full it was, and for how long nobody was there.
    private func occupancy() -> [News] {
        var presence = Presence(stays)
        presence.isAway(absence.camera, absence.time)
        var news: [News] = []
        let (first, last) = (Timestamp.milliseconds(start), Timestamp.milliseconds(end))
        for begin in stride(from: first, to: last, by: Int(OccupancySlot.lengthMs)) {
            let time = begin..<min(begin + OccupancySlot.lengthMs, last)
            let moment = Timestamp.date(milliseconds: begin)
            for camera in Gym.cameras.map(\.id) {
                guard let (sum, empty) = presence.sum(camera, time) else { continue }
                news.append(News(at: moment, .occupancy(OccupancySlot(holding: moment, camera: camera), sum)))
                let frames = Int((empty * Self.model.framesPerSecond).rounded())
                news.append(News(at: moment, .excluded(frames, PseudoLabel.noPerson.rawValue, camera)))
            }
        }
        return news
    }

    /// Two people who lay on the floor. Both are up again.
    private func alarms(_ random: inout RandomSource) -> [News] {
        [(1, 18, 42, LyingPerson.Cause.fall), (4, 20, 16, .still)].compactMap { day, hour, minute, cause in
            let calendar = Calendar.gregorian(in: timeZone)
            let date = calendar.date(byAdding: .day, value: day, to: start)
            guard let since = date.flatMap({ Visits.moment(hour, minute, of: $0, calendar) }) else { return nil }
            let raised = since + (cause == .fall ? 8 : 60)
            let alarm = Alarm(
                id: UUIDv7.string(at: raised, using: &random), camera: "mats", zone: nil, cause: cause, since: since,
                raised: raised, ended: raised + random.seconds(in: 60...200),
                acknowledged: cause == .fall ? raised + random.seconds(in: 15...45) : nil)
            return News(at: raised + 240, .alarm(alarm))
        }
    }
}
