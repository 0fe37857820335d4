import Foundation
import NeuralNet
import Poses
import Training

/// Stick figures with clearly different actions, which show within seconds that training works.
enum ToyClips {
    static let labels = ["jack", "none", "squat"]

    static func all(perLabel: Int, frames: Int = 90, rate: Double = 30) -> [LabelledClip] {
        labels.flatMap { label in
            (0..<perLabel).map { clip($0, label: label, frames: frames, rate: rate) }
        }
    }

    static func clip(_ number: Int, label: String, frames: Int = 90, rate: Double = 30) -> LabelledClip {
        var random = RandomSource(seed: UInt64(number), path: UInt64(label.utf8.count), UInt64(label.utf8.first ?? 0))
        let seconds = random.uniform(in: 0.8...1.6), phase = random.uniform(in: 0...6.28)
        let size = random.uniform(in: 0.3...0.6), middle = random.uniform(in: 0.4...0.6)
        var keypoints: [Float] = []
        for frame in 0..<frames {
            let moment = Float(Double(frame) / rate)
            let effort = (1 - cos(2 * .pi * moment / seconds + phase)) / 2
            for (joint, place) in standing.enumerated() {
                let (x, y) = moved(place, joint: joint, label: label, effort: effort)
                keypoints += random.chance(0.02) ? [0, 0, 0] : [middle + x * size / 1.778, 0.9 - y * size, 0.9]
            }
        }
        return LabelledClip(
            name: "\(label)/\(number)", label: label, group: "person \(number / 2)", rate: rate, aspect: 1.778,
            keypoints: keypoints)
    }

    private static func moved(_ place: (Float, Float), joint: Int, label: String, effort: Float) -> (Float, Float) {
        switch label {
        case "jack" where [3, 4, 6, 7].contains(joint): (place.0 * (1 + effort), place.1 + 0.5 * effort)
        case "squat" where ![9, 10, 12, 13].contains(joint): (place.0, place.1 - 0.25 * effort)
        default: place
        }
    }

    /// x to the right, y up, in body heights, in the order of the joints.
    private static let standing: [(Float, Float)] = [
        (0, 0.95), (0, 0.82), (-0.1, 0.82), (-0.15, 0.62), (-0.17, 0.45), (0.1, 0.82), (0.15, 0.62), (0.17, 0.45),
        (-0.07, 0.5), (-0.08, 0.26), (-0.08, 0.03), (0.07, 0.5), (0.08, 0.26), (0.08, 0.03), (-0.03, 0.97),
        (0.03, 0.97), (-0.06, 0.95), (0.06, 0.95),
    ]
}
