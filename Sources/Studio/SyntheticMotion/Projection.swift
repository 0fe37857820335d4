import Poses

/// What an ideal detector would see of a person.
struct Projection {
    static let joints = Joint.allCases.count

    let aspect: Float
    let frames: Int
    /// `[frames, 18]`, picture heights from the top left.
    var points: [SIMD2<Float>] = []
    /// `[frames, 18]`, metres along the viewing direction.
    var depths: [Float] = []
    /// `[frames, 18]`, from 0 fully visible to 1 hidden behind the own body.
    private(set) var hidden: [Float] = []
    /// Picture heights per metre, per frame.
    private(set) var scales: [Float] = []

    init(_ film: [Skeleton], _ camera: SyntheticCamera) {
        aspect = camera.aspect
        frames = film.count
        points.reserveCapacity(frames * Self.joints)
        depths.reserveCapacity(frames * Self.joints)
        hidden.reserveCapacity(frames * Self.joints)
        for skeleton in film {
            for joint in skeleton.joints {
                let sight = camera.project(joint)
                points.append(sight.point)
                depths.append(sight.depth)
            }
            let middle = camera.project((skeleton[.leftHip] + skeleton[.rightHip]) / 2).depth
            scales.append(camera.focalLength / max(middle, 0.5))
            hide(scales.count - 1)
        }
    }

    /// Body parts that hide what is behind them: the line between two joints, with a radius in metres.
    private static let parts: [(from: Joint, to: Joint, radius: Float)] = [
        (.rightShoulder, .rightHip, 0.1), (.leftShoulder, .leftHip, 0.1), (.rightShoulder, .leftHip, 0.07),
        (.leftShoulder, .rightHip, 0.07), (.rightEar, .leftEar, 0.09), (.rightHip, .rightKnee, 0.1),
        (.leftHip, .leftKnee, 0.1), (.rightKnee, .rightAnkle, 0.08), (.leftKnee, .leftAnkle, 0.08),
        (.rightShoulder, .rightElbow, 0.07), (.leftShoulder, .leftElbow, 0.07), (.rightElbow, .rightWrist, 0.055),
        (.leftElbow, .leftWrist, 0.055),
    ]

    private mutating func hide(_ frame: Int) {
        let first = frame * Self.joints
        for joint in 0..<Self.joints {
            var share: Float = 0
            for part in Self.parts where part.from.rawValue != joint && part.to.rawValue != joint {
                let (a, b) = (first + part.from.rawValue, first + part.to.rawValue)
                let axis = points[b] - points[a]
                let along = (points[first + joint] - points[a]).dot(axis) / max(axis.squaredLength, 1e-8)
                let place = min(max(along, 0), 1)
                let before = depths[first + joint] - depths[a].mixed(with: depths[b], place)
                guard before > part.radius + 0.02 else { continue }
                let distance = (points[first + joint] - points[a] - axis * place).length
                let depth = 1.25 - distance / (part.radius * scales[frame])
                share = max(share, min(max(4 * depth, 0), 1))
            }
            hidden.append(share)
        }
    }
}

extension Float {
    func mixed(with other: Float, _ weight: Float) -> Float { self + (other - self) * weight }
}
