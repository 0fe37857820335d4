import NeuralNet
import Poses

/// Occasional detector failures that last some frames: nobody found, left and right swapped, a joint misplaced.
struct DetectorEpisodes {
    private static let arms: [(Joint, Joint)] = [
        (.leftShoulder, .rightShoulder), (.leftElbow, .rightElbow), (.leftWrist, .rightWrist),
    ]
    private static let legs: [(Joint, Joint)] = [
        (.leftHip, .rightHip), (.leftKnee, .rightKnee), (.leftAnkle, .rightAnkle),
    ]
    private static let ends: [Joint] = [
        .leftWrist, .rightWrist, .leftElbow, .rightElbow, .leftAnkle, .rightAnkle, .leftKnee, .rightKnee,
    ]

    private enum Mishap {
        case none
        case lost
        case swapped([(Joint, Joint)])
        case strayed(Joint, SIMD2<Float>)
        case unseen(Joint)
    }

    private var random: RandomSource
    private var mishap = Mishap.none
    private var framesLeft = 0
    private let strength: Float
    private let carelessness: Float

    init(strength: Float, random source: inout RandomSource) {
        random = RandomSource(seed: source.next())
        self.strength = strength
        carelessness = strength * random.uniform(in: 0.2...1.8)
    }

    /// Applies the current failure to a pose, or starts a new one at random.
    ///
    /// - Parameters:
    ///   - isHard: on the floor or end-on, where detectors fail several times as often.
    ///   - isAmbiguous: from the side or behind, where detectors swap left and right.
    mutating func disturb(_ pose: inout [SIMD3<Float>], trunk: Float, aspect: Float, isHard: Bool, isAmbiguous: Bool) {
        if framesLeft == 0 {
            mishap = .none
            begin(trunk: trunk, isHard: isHard, isAmbiguous: isAmbiguous)
        }
        framesLeft = max(0, framesLeft - 1)
        switch mishap {
        case .none: break
        case .lost: pose = Array(repeating: .zero, count: pose.count)
        case .swapped(let pairs): for (a, b) in pairs { pose.swapAt(a.rawValue, b.rawValue) }
        case .strayed(let joint, let way): pose[joint.rawValue] += SIMD3(way.x, way.y, 0)
        case .unseen(let joint): pose[joint.rawValue] = .zero
        }
        if isMostlyOutside(pose, aspect: aspect) { pose = Array(repeating: .zero, count: pose.count) }
    }

    /// Probabilities are per frame at 30 frames per second: 0.001 is once in half a minute.
    private mutating func begin(trunk: Float, isHard: Bool, isAmbiguous: Bool) {
        let lost: Float = isHard ? 0.0035 : 0.0005, swapped: Float = isAmbiguous ? 0.004 : 0.0006
        let dice = random.uniform() / max(carelessness, 1e-6)
        if dice < lost {
            (mishap, framesLeft) = (.lost, 2 + random.index(below: isHard ? 12 : 8))
        } else if dice < lost + swapped {
            let pairs = [Self.arms, Self.legs, Self.arms + Self.legs][random.index(below: 3)]
            (mishap, framesLeft) = (.swapped(pairs), 2 + random.index(below: 16))
        } else if dice < lost + swapped + 0.004 {
            let joint = Self.ends[random.index(below: Self.ends.count)]
            let way = SIMD2(random.normal(), random.normal()) * (0.4 * trunk)
            (mishap, framesLeft) = (.strayed(joint, way), 1 + random.index(below: 4))
        } else if dice < lost + swapped + 0.006 {
            let joint = Joint.allCases[random.index(below: Joint.allCases.count)]
            (mishap, framesLeft) = (.unseen(joint), 1 + random.index(below: 10))
        }
    }

    /// A detector finds nobody when little of the trunk or of the body is in the picture.
    private func isMostlyOutside(_ pose: [SIMD3<Float>], aspect: Float) -> Bool {
        let inside = pose.map { $0.z > 0 && $0.x > 0 && $0.x < aspect && $0.y > 0 && $0.y < 1 }
        let trunk: [Joint] = [.leftShoulder, .rightShoulder, .leftHip, .rightHip]
        return inside.count { $0 } < 4 || !trunk.contains { inside[$0.rawValue] }
    }
}
