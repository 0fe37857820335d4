import Actions
import Foundation
import Records

/// What one person is going to do: a session as it will be when it has ended.
struct SessionPlan {
    static let framesPerSecond = 30.0
    private static let exercises = ["squat", "lunge", "push_up", "deadlift", "bench_press", "sit_up", "jumping_jack"]
    /// An exercise that is held, so that nothing is counted.
    private static let held = "plank"

    let id: String
    let camera: String
    let zone: String?
    let track: Int
    let sets: [SessionSet]
    /// Seconds of the held exercise after the last set; `nil` without one.
    let heldSeconds: Double?
    let end: Date
    let reason: Session.EndReason
    let excludedFrames: Int

    /// - Parameter start: when the person begins, in the time of the node's people.
    init(at start: Date, track: Int, cameras: [String], dice: inout Dice) {
        id = UUIDv7.string(at: start)
        self.track = track
        let camera = cameras[dice.count(0...cameras.count - 1)]
        let zone: String? = dice.chance(0.5) ? "\(camera)-left" : nil
        self.camera = camera
        self.zone = zone
        let sets = Self.sets(from: start, zone: zone, dice: &dice)
        self.sets = sets
        let held: Double? = dice.chance(0.3) ? dice.number(10...40) : nil
        heldSeconds = held
        end = sets[sets.count - 1].end.addingTimeInterval(held.map { $0 + 8 } ?? 0)
        reason = dice.chance(0.7) ? .idle : .left
        excludedFrames = dice.count(0...200)
    }

    /// The session as it is when so many of its sets are over.
    func session(sets done: Int) -> Session {
        let over = Array(sets.prefix(done))
        let last = over.last?.end ?? sets[0].start.addingTimeInterval(2)
        return Session(
            id: id, camera: camera, track: track, start: sets[0].start, end: last, endReason: nil,
            actions: totals(of: over), sets: over, excludedFrames: ["no_person": 0], zone: zone)
    }

    /// The session when it has ended. A session that is stopped ends with the sets that are over.
    func ended(sets done: Int, reason: Session.EndReason) -> Session {
        var ended = session(sets: done)
        ended.endReason = reason
        ended.excludedFrames = ["no_person": excludedFrames]
        if done == sets.count, let heldSeconds {
            let frames = Self.frames(heldSeconds)
            ended.end = end
            ended.actions.append(
                ActionTotal(
                    label: Self.held, frames: frames, seconds: Double(frames) / Self.framesPerSecond, reps: nil,
                    meanConfidence: 0.81))
        }
        return ended
    }

    /// What the windows of the session credit: one prediction for each set, and one for what was held.
    func predictions(of session: Session) -> [(prediction: Prediction, end: Date)] {
        var all: [(prediction: Prediction, end: Date)] = []
        for set in session.sets {
            all.append((prediction(set.label, seconds: set.end.timeIntervalSince(set.start)), set.end))
        }
        if let heldSeconds, session.actions.contains(where: { $0.label == Self.held }) {
            all.append((prediction(Self.held, seconds: heldSeconds), session.end))
        }
        return all
    }

    private func prediction(_ label: String, seconds: Double) -> Prediction {
        Prediction(
            track: track, start: 0, end: 2, label: label, confidence: 0.9, probabilities: [], poseShare: 1,
            frames: Self.frames(seconds))
    }

    private static func sets(from start: Date, zone: String?, dice: inout Dice) -> [SessionSet] {
        var sets: [SessionSet] = []
        var moment = start
        for number in 1...dice.count(1...4) {
            let label = exercises[dice.count(0...exercises.count - 1)]
            let end = moment.addingTimeInterval(dice.number(15...45))
            let reps = dice.count(4...15)
            let form: Int? = dice.chance(0.6) ? dice.count(40...100) : nil
            sets.append(
                SessionSet(number: number, label: label, start: moment, end: end, reps: reps, form: form, zone: zone))
            moment = end.addingTimeInterval(dice.number(15...60))
        }
        return sets
    }

    private func totals(of over: [SessionSet]) -> [ActionTotal] {
        // A session is recognised after its first seconds, before its first set is over.
        guard !over.isEmpty else {
            return [ActionTotal(label: sets[0].label, frames: 60, seconds: 2, reps: 0, meanConfidence: 0.9)]
        }
        var totals: [ActionTotal] = []
        for set in over {
            let frames = Self.frames(set.end.timeIntervalSince(set.start))
            let seconds = Double(frames) / Self.framesPerSecond
            if let place = totals.firstIndex(where: { $0.label == set.label }) {
                totals[place].frames += frames
                totals[place].seconds += seconds
                totals[place].reps = (totals[place].reps ?? 0) + set.reps
            } else {
                totals.append(
                    ActionTotal(
                        label: set.label, frames: frames, seconds: seconds, reps: set.reps, meanConfidence: 0.9))
            }
        }
        return totals
    }

    private static func frames(_ seconds: Double) -> Int { Int((seconds * framesPerSecond).rounded()) }
}
