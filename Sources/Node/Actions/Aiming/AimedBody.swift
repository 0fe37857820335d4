import Foundation
import Poses

/// How the camera sees one person over the newest pictures.
struct AimedBody {
    /// The joints that are shown. Eyes and ears are left out, since they are where the nose is.
    static let joints: [Joint] = [
        .nose, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
        .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]
    /// Joints closer to an edge count as outside. The joint of a foot at the edge is its ankle, so the foot is cut off.
    private static let edge: Float = 0.01
    /// A joint is outside when it is so in this share of the pictures. In an exercise hands leave the picture only at
    /// the turning points.
    private static let minimumOutside = 0.25

    /// A standing person is never this far from the vertical, in degrees. A person who bends forward stays below it,
    /// because the feet count.
    private static let maximumTiltDegrees: Float = 60

    /// An edge of the picture.
    enum Edge { case bottom, top, side }

    /// How every joint is seen.
    let states: [Joint: AimAdvice.JointSight.State]
    /// The joints that are outside the picture, and beyond which edge.
    let outside: [Joint: Edge]
    /// From which side the camera sees the person.
    let view: CameraView
    /// The height of the person when standing, in picture heights; `nil` when the trunk is not seen.
    let height: Float?
    /// The angle between the body and the vertical in degrees, from feet to head; `nil` when neither is found.
    let tiltDegrees: Float?
    /// Width divided by height of the picture.
    let aspect: Float

    /// - Parameters:
    ///   - poses: the person's newest poses. Joints may be missing or not finite.
    ///   - aspect: width divided by height of the picture.
    init(_ poses: [Pose], aspect: Float) {
        self.aspect = aspect
        var states: [Joint: AimAdvice.JointSight.State] = [:], outside: [Joint: Edge] = [:]
        for joint in Joint.allCases {
            outside[joint] = Self.edge(beyond: joint, in: poses)
            let isSeen = 2 * poses.count { $0[joint].isSeen } > poses.count
            states[joint] = outside[joint] != nil ? .outside : isSeen ? .seen : .unsure
        }
        self.states = states
        self.outside = outside
        view = CameraView(of: poses, aspect: aspect)
        let trunks = poses.compactMap { Trunk($0, aspect: aspect) }
        height = Trunk.fullLength(trunks, of: poses.count).map(Trunk.bodyHeight)
        tiltDegrees = Self.tiltDegrees(poses, aspect: aspect)
    }

    /// Whether the body is not upright in the picture: the person lies, or the camera lies on its side.
    var liesAcross: Bool { tiltDegrees ?? 0 > Self.maximumTiltDegrees }

    /// Whether a joint is seen on at least one side of the body.
    func sees(_ joint: Joint) -> Bool { states[joint] == .seen || states[joint.mirrored] == .seen }

    /// Whether all the joints are seen on one side of the body.
    func seesOneSide(_ joints: [Joint]) -> Bool {
        joints.allSatisfy { states[$0] == .seen } || joints.allSatisfy { states[$0.mirrored] == .seen }
    }

    /// The median position of a joint; `nil` unless it has one in most poses.
    private static func place(of joint: Joint, in poses: [Pose], aspect: Float) -> SIMD2<Float>? {
        let places = poses.compactMap { $0.place(of: joint, aspect: aspect) }
        guard 2 * places.count > poses.count, let x = places.map(\.x).median, let y = places.map(\.y).median else {
            return nil
        }
        return SIMD2(x, y)
    }

    /// The edge beyond which a joint lies often enough; `nil` inside.
    private static func edge(beyond joint: Joint, in poses: [Pose]) -> Edge? {
        let edges = poses.compactMap { $0.place(of: joint, aspect: 1).flatMap(edge(beyond:)) }
        guard !edges.isEmpty, Double(edges.count) >= minimumOutside * Double(poses.count) else { return nil }
        return [Edge.bottom, .top, .side].max { one, other in
            edges.count { $0 == one } < edges.count { $0 == other }
        }
    }

    /// The edge beyond which a position lies, in fractions of the picture; `nil` inside.
    private static func edge(beyond place: SIMD2<Float>) -> Edge? {
        let inside = edge...1 - edge
        if place.y > inside.upperBound { return .bottom }
        if place.y < inside.lowerBound { return .top }
        return inside.contains(place.x) ? nil : .side
    }

    /// The whole body counts, since a person who bends forward has a level trunk.
    private static func tiltDegrees(_ poses: [Pose], aspect: Float) -> Float? {
        func middle(_ joints: [Joint]) -> SIMD2<Float>? {
            let places = joints.compactMap { place(of: $0, in: poses, aspect: aspect) }
            return places.isEmpty ? nil : places.middle
        }
        let lowest =
            middle([.leftAnkle, .rightAnkle]) ?? middle([.leftKnee, .rightKnee]) ?? middle([.leftHip, .rightHip])
        guard let shoulders = middle([.leftShoulder, .rightShoulder]), let lowest else { return nil }
        let way = shoulders - lowest
        return atan2(abs(way.x), -way.y) * 180 / .pi
    }
}
