import Foundation
import Poses

/// The speed of each person's joints throughout a recording, in trunk lengths per second.
///
/// It shows where an exercise begins and ends more exactly than windows of two seconds can.
public struct MotionTrace {
    /// The joints of arms, legs and trunk. The face is left out, since it moves with every glance.
    private static let joints: [Joint] = [
        .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist, .rightHip, .rightKnee,
        .rightAnkle, .leftHip, .leftKnee, .leftAnkle,
    ]
    /// The seconds over which speeds are measured, so that the jitter of a still body does not count as motion.
    private static let spanSeconds = 0.2

    private struct Sighting {
        let time: Double
        let points: [SIMD2<Float>?]
        let trunk: Float
    }

    private var sightings: [Int: [Sighting]] = [:]

    /// Starts without frames.
    public init() {}

    /// Adds the next frame. Frames must be in order of time.
    public mutating func add(_ frame: TrackedFrame) {
        for track in frame.measured {
            let points = Self.joints.map { joint -> SIMD2<Float>? in
                let point = track.pose[joint]
                return point.confidence > 0.3 ? SIMD2(point.x * frame.aspect, point.y) : nil
            }
            let (neck, root) = (track.pose[.neck], track.pose.root)
            let trunk = hypotf((neck.x - root.x) * frame.aspect, neck.y - root.y)
            sightings[track.id, default: []].append(Sighting(time: frame.time, points: points, trunk: trunk))
        }
    }

    /// Gives what was seen of a track to the person it turned out to be.
    package mutating func apply(_ link: PersonLink) {
        guard let later = sightings.removeValue(forKey: link.from) else { return }
        sightings[link.to, default: []] += later
    }

    /// Mean speed of a person's joints at every sighting, in trunk lengths per second.
    package func speeds(of track: Int) -> [(time: Double, speed: Float)] {
        guard let own = sightings[track], own.count > 2 else { return [] }
        // A trunk bent towards the camera looks short, so the upper quartile estimates its real length.
        let trunk = max(own.map(\.trunk).sorted()[own.count * 3 / 4], 1e-3)
        var first = 0
        var last = 0
        return own.indices.map { i in
            // At the ends the span is shifted, not shortened: over a shorter span, jitter would look like motion.
            let latest = (own.last?.time ?? 0) - Self.spanSeconds
            let from = max(own[0].time, min(own[i].time - Self.spanSeconds / 2, latest))
            while own[first].time < from { first += 1 }
            while last + 1 < own.count && own[last].time < from + Self.spanSeconds { last += 1 }
            return (own[i].time, Self.speed(from: own[first], to: own[last]) / trunk)
        }
    }

    private static func speed(from a: Sighting, to b: Sighting) -> Float {
        let steps = zip(a.points, b.points).compactMap { a, b -> Float? in
            guard let a, let b else { return nil }
            let step = b - a
            return (step * step).sum().squareRoot()
        }
        guard !steps.isEmpty, b.time > a.time else { return 0 }
        return steps.reduce(0, +) / Float(steps.count) / Float(b.time - a.time)
    }
}
