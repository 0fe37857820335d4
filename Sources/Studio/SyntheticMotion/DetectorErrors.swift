import Foundation
import NeuralNet
import Poses

/// The errors of one detector on one person for a whole clip, modelled on BlazePose on video.
///
/// The figures come from measurements. On 265 real push-up clips (MediaPipe), face, shoulders and hips nearly always
/// have a visibility above 0.95; hidden elbows, wrists, knees and ankles have 0.05…0.6. The second difference is 0.7 to
/// 1.1 % of a trunk length. Compared with rendered ground truth, the error is mostly systematic: from 0.03 of a trunk
/// length at the shoulders to 0.1 at hips and ankles.
struct DetectorErrors {
    private static let joints = Projection.joints
    /// Joints for which the detector is nearly always confident: face, neck, shoulders, hips.
    private static let sure: [Bool] = Joint.allCases.map { joint in
        switch joint {
        case .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle: false
        default: true
        }
    }
    /// Systematic errors in trunk lengths.
    private static let biases: [Float] = Joint.allCases.map { joint in
        switch joint {
        case .leftHip, .rightHip, .leftAnkle, .rightAnkle: 0.065
        case .leftKnee, .rightKnee, .leftElbow, .rightElbow: 0.05
        case .leftWrist, .rightWrist: 0.045
        case .leftShoulder, .rightShoulder, .neck: 0.035
        default: 0.025
        }
    }

    private var random: RandomSource
    private var bias: [SIMD2<Float>] = []
    private var drift: [SIMD2<Float>]
    private var hidden: [Float]
    private var lowConfidence: [Float] = []
    private let jitter: Float
    private let driftDeviation: Float
    private let memory: Float
    private let confusion: Float
    private let sureness: Float
    /// Joints below this confidence are omitted, as some detectors do.
    private let leavesOutBelow: Float
    private let strength: Float

    /// - Parameter strength: 0 is exact, 1 is typical.
    init(strength: Float, random source: inout RandomSource) {
        random = RandomSource(seed: source.next())
        self.strength = strength
        // From a smoothing tracker on a large person to frame-by-frame annotation, uniform on a logarithmic scale.
        let unrest = exp(random.uniform(in: log(0.35)...log(1.8)))
        jitter = strength * unrest * 0.005
        driftDeviation = strength * unrest * random.uniform(in: 0.008...0.02)
        memory = random.uniform(in: 0.75...0.95)
        let leavesOut = random.chance(strength > 0 ? 0.12 : 0)
        leavesOutBelow = leavesOut ? random.uniform(in: 0.3...0.6) : 0
        confusion = random.chance(0.4) ? random.uniform(in: 0.2...0.9) : 0
        sureness = random.chance(0.25) ? random.uniform(in: 0.7...0.97) : random.uniform(in: 0.97...1)
        drift = Array(repeating: .zero, count: Self.joints)
        hidden = Array(repeating: 0, count: Self.joints)
        for joint in 0..<Self.joints {
            let size: Float = Self.biases[joint] * strength
            bias.append(SIMD2<Float>(random.normal(), random.normal()) * size)
            lowConfidence.append(Self.sure[joint] ? random.uniform(in: 0.8...0.99) : random.uniform(in: 0.04...0.75))
        }
        addSharedBias()
    }

    /// Hips and ankles err in pairs: the middle of both is off.
    private mutating func addSharedBias() {
        let pairs: [(Joint, Joint)] = [(.leftHip, .rightHip), (.leftAnkle, .rightAnkle)]
        for (left, right) in pairs {
            let shared = SIMD2(random.normal(), random.normal()) * (0.05 * strength)
            bias[left.rawValue] += shared
            bias[right.rawValue] += shared
        }
    }

    /// The detector's output for the next frame, in picture heights, with confidences.
    ///
    /// - Parameter trunk: the trunk's length in picture heights.
    mutating func observe(_ frame: Int, of projection: Projection, trunk: Float) -> [SIMD3<Float>] {
        let first = frame * Self.joints
        let hardness = hardness(first, of: projection, trunk: trunk)
        var seen: [SIMD3<Float>] = []
        seen.reserveCapacity(Self.joints)
        for joint in 0..<Self.joints {
            // Confidence follows with a short delay, because a detector on video does not flicker.
            hidden[joint] += 0.3 * (projection.hidden[first + joint] - hidden[joint])
            let point = projection.points[first + joint]
            let outside = outside(point, aspect: projection.aspect) / trunk
            let doubt = hidden[joint] * (Self.sure[joint] ? 0.25 : 1)
            let blur = hardness * (1 + 4 * doubt + 3 * min(outside, 1.5))
            let shock = SIMD2(random.normal(), random.normal()) * (1 - memory * memory).squareRoot()
            drift[joint] = drift[joint] * memory + shock
            let tremble = SIMD2(random.normal(), random.normal()) * jitter
            let lasting = bias[joint] * (0.6 + 0.4 * hardness)
            let error = lasting + drift[joint] * (driftDeviation * blur) + tremble * blur.squareRoot()
            let pulled = pulled(point, joint, doubt, first, projection)
            let place = pulled + error * trunk
            let confidence = confidence(joint, outside: outside)
            seen.append(confidence < leavesOutBelow ? .zero : SIMD3(place.x, place.y, confidence))
        }
        return seen
    }

    private mutating func confidence(_ joint: Int, outside: Float) -> Float {
        let inside = 1 - hidden[joint] * (1 - lowConfidence[joint]) - 0.02 * abs(random.normal())
        let fading = outside > 0 ? max(0.02, 0.45 - 0.6 * outside) : 1
        return min(max(inside * sureness * fading, 0.01), 1)
    }

    /// Moves a hidden arm or leg towards the visible one in front of it, as a confused detector does.
    private func pulled(
        _ point: SIMD2<Float>, _ joint: Int, _ doubt: Float, _ first: Int, _ projection: Projection
    ) -> SIMD2<Float> {
        guard confusion > 0, doubt > 0.2, strength > 0 else { return point }
        let twin = projection.points[first + Joint.allCases[joint].mirrored.rawValue]
        return point.mixed(with: twin, doubt * confusion * 0.6)
    }

    /// Factor on errors: 1 for a body seen upright or from the side, more when the trunk points at the camera.
    private func hardness(_ first: Int, of projection: Projection, trunk: Float) -> Float {
        let hips =
            projection.points[first + Joint.leftHip.rawValue] + projection.points[first + Joint.rightHip.rawValue]
        let length = (projection.points[first + Joint.neck.rawValue] - hips / 2).length
        return 1 + min(max(0.8 - length / trunk, 0), 0.8)
    }

    /// Distance of a point from the picture, in picture heights; 0 inside.
    private func outside(_ point: SIMD2<Float>, aspect: Float) -> Float {
        max(0, -point.x, point.x - aspect, -point.y, point.y - 1)
    }
}
