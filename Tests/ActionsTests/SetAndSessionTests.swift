import Actions
import Foundation
import Testing

/// Sets and sessions together: each repetition is counted once and belongs to one session.
@Suite struct SetAndSessionTests {
    private let labels = ["lunge", "none", "squat"]
    private static let origin = Date(timeIntervalSince1970: 1_700_000_000)

    /// What one person does and how it is recognised.
    private enum Kind: CaseIterable { case sure, unsure, cut, still, away }
    private typealias Stretch = (kind: Kind, end: Double)

    /// Everything that both trackers told, and what must hold at every moment.
    private struct Course {
        var sets: SetTracker
        var sessions: SessionTracker
        /// The newest state of each set, counted apart from the sessions.
        var counted: [ExerciseSet] = []
        var told: [String: Session] = [:]
        var ended: Set<String> = []
        var endedSets: [String: Int] = [:]

        init(labels: [String], idle: Double) {
            var settings = SetTracker.Settings(labels: labels, exercises: ["lunge", "squat"], rateHz: 30)
            settings.rules.sessions.idleSeconds = idle
            sets = SetTracker(track: 1, settings)
            sessions = SessionTracker(
                track: 1,
                .init(camera: "rack1", rules: settings.rules.sessions, rateHz: 30, exercises: ["lunge", "squat"]),
                origin: origin)
        }

        mutating func add(_ window: PoseWindow?, _ prediction: Prediction?, at time: Double) {
            var found: [ExerciseSet?] = []
            if let window, let prediction { found.append(sets.update(window, prediction)) }
            let changed = (found + [sets.pass(to: time)]).compactMap(\.self)
            note(changed)
            note(sessions.update([prediction].compactMap(\.self), changed, at: time))
        }

        mutating func close(_ reason: Session.EndReason) {
            let found = [sets.close()].compactMap(\.self)
            note(found)
            note(sessions.update([], found, at: -.infinity) + sessions.close(reason))
        }

        private mutating func note(_ found: [ExerciseSet]) {
            for set in found {
                if let last = counted.last, last.isOpen, last.number == set.number { counted.removeLast() }
                counted.append(set)
            }
        }

        private mutating func note(_ events: [SessionEvent]) {
            for event in events {
                let session = event.session
                #expect(!ended.contains(session.id), "nothing follows the end of a session")
                told[session.id] = session
                let sum = session.sets.reduce(0) { $0 + $1.reps }
                #expect(session.actions.reduce(0) { $0 + ($1.reps ?? 0) } == sum)
                #expect(session.sets.allSatisfy { $0.start >= session.start && $0.end <= session.end })
                if case .setEnded = event { endedSets[session.id, default: 0] += 1 }
                guard case .ended = event else { continue }
                ended.insert(session.id)
                #expect(endedSets[session.id, default: 0] == session.sets.count, "each set ends before its session")
            }
        }

        /// Checks the whole course, after its end.
        func check(_ name: String) {
            #expect(Set(told.keys) == ended)
            let stored = told.values.flatMap(\.sets)
            #expect(stored.count == counted.count, "\(name)")
            let (sum, truth) = (
                stored.reduce(0) { $0 + $1.reps }, counted.reduce(0) { $0 + $1.repetitions.count }
            )
            #expect(sum == truth, "\(name): \(sum) in sessions, \(truth) counted")
            let spans = told.values.map { ($0.start, $0.end) }.sorted { $0.0 < $1.0 }
            #expect(
                zip(spans, spans.dropFirst()).allSatisfy { $0.1 <= $1.0 }, "\(name): sessions of one person overlap")
        }
    }

    /// Squats every two seconds, except in the stretches without motion.
    private func windows(_ stretches: [Stretch]) -> [PoseWindow] {
        StickFigure.windows(
            StickFigure.squatting(seconds: stretches.last?.end ?? 0) { time in
                let kind = stretches.first { time < $0.end }?.kind
                return kind == .still ? 0 : StickFigure.depth(time, rest: 0, period: 2, count: 100_000)
            })
    }

    private func prediction(_ window: PoseWindow, _ kind: Kind) -> Prediction {
        let (label, squat): (String, Float) =
            switch kind {
            case .sure: ("squat", 0.95)
            case .unsure: (PseudoLabel.lowConfidence.rawValue, 0.6)
            case .cut: (PseudoLabel.lowConfidence.rawValue, 0.45)
            case .still, .away: ("none", 0.02)
            }
        return Prediction(
            track: 1, start: window.start, end: window.end, label: label, confidence: max(squat, 0.5),
            probabilities: [(1 - squat) / 2, (1 - squat) / 2, squat], poseShare: 1, frames: 10)
    }

    private func play(_ stretches: [Stretch], idle: Double, endsAt: Double? = nil) -> Course {
        var course = Course(labels: labels, idle: idle)
        var hasEnded = false
        for window in windows(stretches) {
            if let endsAt, window.end >= endsAt, !hasEnded {
                hasEnded = true
                course.close(.stopped)
            }
            let kind = stretches.first { window.start + 1 < $0.end }?.kind ?? .away
            if kind == .away {
                course.add(nil, nil, at: window.end)
            } else {
                course.add(window, prediction(window, kind), at: window.end)
            }
        }
        course.close(.sourceEnded)
        return course
    }

    @Test(arguments: 1...12)
    func `in random stretches each counted repetition is in exactly one session`(seed: UInt64) {
        var random = Seeded(seed)
        var stretches: [Stretch] = []
        var end = 0.0
        while end < 150 {
            end += [3, 8, 20, 45, 70].randomElement(using: &random) ?? 8
            stretches.append((Kind.allCases.randomElement(using: &random) ?? .sure, end))
        }
        let idle = [5.0, 12, 30, 90][Int(seed % 4)]
        let stop = seed % 3 == 0 ? Double.random(in: 20...140, using: &random) : nil
        play(stretches, idle: idle, endsAt: stop).check("seed \(seed), idle \(idle) s")
    }

    @Test(arguments: [5.0, 30])
    func `a session does not end while rejected windows hold its set open`(idle: Double) {
        let course = play([(.sure, 16), (.cut, 61), (.sure, 77), (.still, 120)], idle: idle)
        course.check("again")
        #expect(course.told.count == 1 && course.counted.count == 1)
        #expect((36...39).contains(course.counted.first?.repetitions.count ?? 0))
    }

    @Test func `nothing is lost when no window is accepted again`() {
        let course = play([(.sure, 16), (.cut, 76), (.still, 120)], idle: 30)
        course.check("lost")
        #expect(course.told.count == 1 && (course.counted.first?.repetitions.count ?? 0) >= 36)
        #expect(course.told.values.first?.endReason == .idle)
    }

    @Test func `a set that is held open without a repetition ends with its session`() throws {
        var course = Course(labels: labels, idle: 30)
        let poses = StickFigure.squatting(seconds: 90) { StickFigure.depth($0, rest: 0, period: 2, count: 8) }
        for window in StickFigure.windows(poses) {
            course.add(window, prediction(window, window.start < 15 ? .sure : .unsure), at: window.end)
        }
        // It ended by itself, long before the end of the recording.
        #expect(course.ended.count == 1 && course.counted.map(\.isOpen) == [false])
        #expect((7...8).contains(course.counted.first?.repetitions.count ?? 0))
        course.close(.sourceEnded)
        course.check("held")
    }

    @Test func `a session begins with its set, also where the first windows were rejected`() throws {
        let course = play([(.unsure, 20), (.sure, 40), (.still, 80)], idle: 30)
        course.check("late")
        let session = try #require(course.told.values.first)
        #expect(session.start == session.sets.first?.start && session.sets.first?.reps ?? 0 >= 18)
    }

    @Test func `the end of a session ends its open set, and the next one counts what the set adds`() throws {
        var sessions = SessionTracker(
            track: 1, .init(camera: "rack1", rateHz: 30, exercises: ["squat"]), origin: Self.origin)
        func set(_ count: Int, isOpen: Bool = true) -> ExerciseSet {
            let repetitions = (0..<count).map {
                Repetition(start: Double($0) * 2, extreme: Double($0) * 2 + 1, end: Double($0) * 2 + 2)
            }
            return ExerciseSet(
                track: 1, number: 1, label: "squat", start: 0, end: Double(count) * 2, repetitions: repetitions,
                isOpen: isOpen)
        }
        func squat(_ end: Double) -> Prediction {
            Prediction(
                track: 1, start: end - 2, end: end, label: "squat", confidence: 0.9, probabilities: [], poseShare: 1,
                frames: 10)
        }
        _ = sessions.update([squat(2), squat(2.3)], at: 2.3)
        _ = sessions.update([squat(10)], [set(5)], at: 10)
        let ended = sessions.close(.stopped)
        guard case .setEnded(let last, let open)? = ended.first, case .ended(let first)? = ended.last else {
            Issue.record("\(ended)")
            return
        }
        #expect(ended.count == 2 && last.reps == 5 && open.endReason == nil && first.sets == [last])
        // The set of five goes on: nothing of it is counted again.
        _ = sessions.update([squat(11), squat(11.3)], [set(5)], at: 11.3)
        let next = try #require(sessions.update([squat(16)], [set(8)], at: 16).last).session
        #expect(next.id != first.id && next.start >= first.end)
        #expect(next.sets.map(\.reps) == [3] && next.actions.map(\.reps) == [3])
        #expect(next.sets.first?.start == Self.origin + 10)
        let end = sessions.update([], [set(7, isOpen: false)], at: 20) + sessions.close(.sourceEnded)
        #expect(end.last?.session.sets.map(\.reps) == [2] && end.last?.session.actions.map(\.reps) == [2])
    }

    @Test func `a set that one window found starts its session`() throws {
        var sessions = SessionTracker(
            track: 1, .init(camera: "rack1", rateHz: 30, exercises: ["squat"]), origin: Self.origin)
        let squat = Prediction(
            track: 1, start: 0, end: 2, label: "squat", confidence: 0.9, probabilities: [], poseShare: 1, frames: 10)
        #expect(sessions.update([squat], at: 2).isEmpty)
        let set = ExerciseSet(
            track: 1, number: 1, label: "squat", start: 0, end: 2,
            repetitions: [Repetition(start: 0, extreme: 1, end: 2)])
        let events = sessions.update([], [set], at: -.infinity) + sessions.close(.sourceEnded)
        guard case .started = events.first, case .ended(let session)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(events.count == 3 && session.sets.map(\.reps) == [1] && session.actions.map(\.reps) == [1])
    }

    @Test func `what a set adds after its session is a set of its own, also with a single repetition`() throws {
        var sessions = SessionTracker(
            track: 1, .init(camera: "rack1", rateHz: 30, exercises: ["squat"]), origin: Self.origin)
        func set(_ count: Int, isOpen: Bool = true) -> ExerciseSet {
            let repetitions = (0..<count).map {
                Repetition(start: Double($0) * 2, extreme: Double($0) * 2 + 1, end: Double($0) * 2 + 2)
            }
            return ExerciseSet(
                track: 1, number: 1, label: "squat", start: 0, end: Double(count) * 2, repetitions: repetitions,
                isOpen: isOpen)
        }
        func squat(_ end: Double) -> Prediction {
            Prediction(
                track: 1, start: end - 2, end: end, label: "squat", confidence: 0.9, probabilities: [], poseShare: 1,
                frames: 10)
        }
        _ = sessions.update([squat(2), squat(2.3)], at: 2.3)
        _ = sessions.update([squat(10)], [set(5)], at: 10)
        _ = sessions.close(.stopped)
        _ = sessions.update([squat(11), squat(11.3)], [set(5)], at: 11.3)
        _ = sessions.update([squat(12)], [set(6)], at: 12)
        let ended = sessions.update([squat(13)], [set(6, isOpen: false)], at: 13) + sessions.close(.idle)
        #expect(ended.last?.session.sets.map(\.reps) == [1] && ended.last?.session.actions.map(\.reps) == [1])
    }

    @Test func `a set that changes its label takes its repetitions along`() throws {
        var sessions = SessionTracker(
            track: 1, .init(camera: "rack1", rateHz: 30, exercises: ["squat", "lunge"]), origin: Self.origin)
        func prediction(_ label: String, _ end: Double) -> Prediction {
            Prediction(
                track: 1, start: end - 2, end: end, label: label, confidence: 0.9, probabilities: [], poseShare: 1,
                frames: 10)
        }
        func set(_ label: String, _ count: Int) -> ExerciseSet {
            ExerciseSet(
                track: 1, number: 1, label: label, start: 0, end: 8,
                repetitions: Array(repeating: Repetition(start: 0, extreme: 1, end: 2), count: count))
        }
        _ = sessions.update([prediction("squat", 2), prediction("squat", 3)], at: 3)
        _ = sessions.update([], [set("squat", 4)], at: 8)
        let changed = try #require(sessions.update([], [set("lunge", 3)], at: 9).last).session
        #expect(changed.actions.map(\.label) == ["squat", "lunge"] && changed.actions.map(\.reps) == [nil, 3])
    }
}

/// Random numbers that are the same in each run.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
