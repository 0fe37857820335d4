import Actions
import Foundation
import History
import NeuralNet
import Records

/// What a camera saw of a stay: the predictions and the session.
struct SeenStay {
    /// The seconds that one prediction stands for. A node makes some in a second, which would take long to write.
    private static let stepSeconds = 4.0

    private(set) var session: Session
    /// Everything that is stored of it, with what somebody entered afterwards.
    private(set) var news: [News] = []

    /// - Parameter track: the person's number in front of the camera.
    init(_ stay: Stay, track: Int, _ random: inout RandomSource) {
        let start = stay.sets.first?.start ?? stay.start, end = stay.sets.last?.end ?? stay.end
        session = Session(
            id: UUIDv7.string(at: start, using: &random), camera: stay.camera, track: track, start: start, end: end,
            endReason: stay.endReason, sets: stay.sets, zone: stay.zone)
        var confidences: [String: [Double]] = [:]
        let frames = Int(Self.stepSeconds * MadeUpWeek.model.framesPerSecond)
        var moment = stay.start
        while moment + Self.stepSeconds <= stay.end {
            let middle = moment + Self.stepSeconds / 2
            moment += Self.stepSeconds
            let label = stay.sets.first { $0.start <= middle && middle < $0.end }?.label ?? "other"
            let confidence = min(0.995, max(0.5, random.near(label == "other" ? 0.84 : 0.91, by: 0.05)))
            let prediction = Prediction(
                track: track, start: 0, end: Self.stepSeconds, label: label, confidence: Float(confidence),
                probabilities: [], poseShare: 1, frames: frames)
            news.append(News(at: moment, .prediction(prediction, camera: stay.camera)))
            if middle >= start, middle <= end { confidences[label, default: []].append(confidence) }
        }
        let labels = stay.sets.map(\.label).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        session.actions = (labels + ["other"]).compactMap { label in
            let seen = confidences[label] ?? []
            let reps = stay.sets.filter { $0.label == label }.reduce(0) { $0 + $1.reps }
            guard !seen.isEmpty || reps > 0 else { return nil }
            return ActionTotal(
                label: label, frames: seen.count * frames, seconds: Double(seen.count) * Self.stepSeconds,
                reps: reps > 0 ? reps : nil,
                meanConfidence: seen.isEmpty ? 0 : seen.reduce(0, +) / Double(seen.count))
        }
        news.append(News(at: stay.end, .session(session)))
        for (number, effort) in stay.efforts.sorted(by: { $0.key < $1.key })
        where stay.sets.contains(where: { $0.number == number }) {
            let change = SetChange.to(loadKg: effort.loadKg, rpe: effort.rpe)
            news.append(News(at: stay.end + 30, .correction(number, session.id, change)))
        }
    }
}
