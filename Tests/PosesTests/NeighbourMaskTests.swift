import Capture
import Foundation
import Testing

import Poses

/// What the landmark network gets to see of two people who stand close together.
@Suite struct NeighbourMaskTests {
    private static let side = 100
    private static let picture = SIMD2<Float>(200, 200)

    /// A standing figure whose middle is at `x`, in fractions of the picture's width, 0.6 of the picture tall.
    private func standing(x: Float, confidence: Float = 0.9) -> Pose {
        let offsets: [(Float, Float)] = [
            (0, -0.3), (0, -0.2), (-0.05, -0.2), (-0.07, -0.1), (-0.07, 0), (0.05, -0.2), (0.07, -0.1), (0.07, 0),
            (-0.03, 0), (-0.03, 0.15), (-0.03, 0.3), (0.03, 0), (0.03, 0.15), (0.03, 0.3), (-0.01, -0.31),
            (0.01, -0.31), (-0.02, -0.3), (0.02, -0.3),
        ]
        return Pose(keypoints: offsets.map { Keypoint(x: x + $0.0, y: 0.5 + $0.1, confidence: confidence) })
    }

    private let nobody = Pose(keypoints: Array(repeating: .missing, count: Joint.allCases.count))

    private func region(x: Float, size: Float = 200, angle: Float = 0) -> RegionOfInterest {
        RegionOfInterest(centerX: x * 200, centerY: 100, size: size, angle: angle)
    }

    private func mask(_ region: RegionOfInterest, _ pose: Pose?, _ others: [Pose]) -> NeighbourMask? {
        NeighbourMask(region, side: Self.side, pose: pose, others: others, picture: Self.picture)
    }

    /// Which pixels of a white cutout become grey.
    private func painted(_ mask: NeighbourMask?, rows: Range<Int> = 0..<side) -> Set<SIMD2<Int>> {
        var cutout = [UInt8](repeating: 255, count: Self.side * Self.side * 3)
        cutout.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { mask?.paint(start, rows: rows) }
        }
        var grey: Set<SIMD2<Int>> = []
        for y in 0..<Self.side {
            for x in 0..<Self.side where cutout[3 * (y * Self.side + x)] != 255 {
                grey.insert(SIMD2(x, y))
                #expect(cutout[3 * (y * Self.side + x)..<3 * (y * Self.side + x) + 3] == [127, 127, 127])
            }
        }
        return grey
    }

    @Test func `whoever stands beside somebody is painted, and nothing of the person`() {
        let grey = painted(mask(region(x: 0.5), standing(x: 0.5), [standing(x: 0.75)]))
        // The other's trunk, knees and head; 0.75 of the picture's width is pixel 75.
        for point in [SIMD2(75, 45), SIMD2(72, 65), SIMD2(78, 65), SIMD2(75, 20)] { #expect(grey.contains(point)) }
        #expect(grey.allSatisfy { $0.x > 60 })
    }

    @Test func `where two people overlap, the person's own body stays`() {
        let alone = painted(mask(region(x: 0.5), standing(x: 0.2), [standing(x: 0.55)]))
        let beside = painted(mask(region(x: 0.5), standing(x: 0.5), [standing(x: 0.55)]))
        #expect(beside.isStrictSubset(of: alone))
        #expect(alone.contains(SIMD2(52, 45)) && !beside.contains(SIMD2(52, 45)))
        // Of somebody who may be a wrong pose nothing is kept.
        #expect(painted(mask(region(x: 0.5), nil, [standing(x: 0.55)])) == alone)
        // Somebody in the same place leaves nothing to paint.
        #expect(painted(mask(region(x: 0.5), standing(x: 0.5), [standing(x: 0.5)])).isEmpty)
    }

    @Test func `nobody else in the region, or nobody sure, means no mask`() {
        #expect(mask(region(x: 0.3, size: 60), standing(x: 0.3), [standing(x: 0.8)]) == nil)
        #expect(mask(region(x: 0.5), standing(x: 0.5), []) == nil)
        #expect(mask(region(x: 0.5), standing(x: 0.5), [standing(x: 0.7, confidence: 0.2), nobody]) == nil)
    }

    @Test func `a turned region is painted where its cutout shows the other`() {
        // A quarter turn clockwise: what lies to the right in the picture is at the top of the cutout.
        let turned = region(x: 0.5, angle: .pi / 2)
        let grey = painted(mask(turned, standing(x: 0.5), [standing(x: 0.75)]))
        #expect(grey.contains(SIMD2(50, 25)))
        #expect(grey.allSatisfy { $0.y < 40 })
    }

    @Test func `rows that are painted one after the other give the same as all at once`() {
        let some = mask(region(x: 0.5), standing(x: 0.5), [standing(x: 0.6), standing(x: 0.35)])
        let parts = stride(from: 0, to: Self.side, by: 7).map { painted(some, rows: $0..<min($0 + 7, Self.side)) }
        #expect(parts.reduce([]) { $0.union($1) } == painted(some))
    }

    /// Half the widths of the lines of a body, in legs.
    private static func width(_ from: Joint, _ to: Joint) -> Float? {
        let trunk: Set<Joint> = [.leftShoulder, .rightShoulder, .leftHip, .rightHip]
        switch (from, to) {
        case (.nose, .nose): return 1.5
        case (.nose, .neck): return 1
        case (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist): return 0.8
        case (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist): return 0.8
        case (.leftHip, .leftKnee), (.leftKnee, .leftAnkle): return 1
        case (.rightHip, .rightKnee), (.rightKnee, .rightAnkle): return 1
        // Any two corners of the trunk.
        default: return from != to && trunk.isSuperset(of: [from, to]) ? 1.1 : nil
        }
    }

    /// The plain way: every pixel whose middle is near enough to a line of the body.
    @Test(arguments: [Float(0), 0.7, 2, -1.3]) func `the outline is all points near the limbs`(angle: Float) {
        let place = { (point: Keypoint) -> SIMD2<Float> in
            let step = SIMD2(point.x - 0.5, point.y - 0.5) * 100
            return SIMD2(step.x * cosf(angle) - step.y * sinf(angle), step.x * sinf(angle) + step.y * cosf(angle)) + 50
        }
        let pose = standing(x: 0.52), outline = BodyOutline(pose, confidence: 0.5, place: place)
        let trunk = place(pose[.leftShoulder]) - place(pose[.leftHip])
        let leg = 0.22 * (trunk * trunk).sum().squareRoot()
        var inside: Set<SIMD2<Int>> = []
        for y in 0..<100 { outline.pixels(ofRow: y, size: 100) { for x in $0 { inside.insert(SIMD2(x, y)) } } }
        #expect(inside.count > 500)
        let lines = Joint.allCases.flatMap { from in
            Joint.allCases.compactMap { to in
                Self.width(from, to).map { (place(pose[from]), place(pose[to]), $0 * leg) }
            }
        }
        for y in 0..<100 {
            for x in 0..<100 {
                let point = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
                // How far outside the nearest line's edge.
                let beyond = lines.map { distance(of: point, from: $0, to: $1) - $2 }.min() ?? .infinity
                if abs(beyond) > 0.01 { #expect(inside.contains(SIMD2(x, y)) == (beyond < 0), "\(x) \(y) \(beyond)") }
            }
        }
    }

    private func distance(of point: SIMD2<Float>, from start: SIMD2<Float>, to end: SIMD2<Float>) -> Float {
        let along = end - start, step = point - start, square = (along * along).sum()
        let rest = square > 0 ? step - along * min(max((along * step).sum() / square, 0), 1) : step
        return (rest * rest).sum().squareRoot()
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30, -1e30])
    func `a joint without a number, or without measure, counts as missing`(wrong: Float) {
        var (broken, without) = (standing(x: 0.6), standing(x: 0.6))
        for joint in [Joint.leftKnee, .nose] { without.keypoints[joint.rawValue] = .missing }
        broken.keypoints[Joint.leftKnee.rawValue].x = wrong
        broken.keypoints[Joint.nose.rawValue].y = wrong
        func both(_ pose: Pose) -> [Set<SIMD2<Int>>] {
            [
                painted(mask(region(x: 0.5), standing(x: 0.5), [pose])),
                painted(mask(region(x: 0.5), pose, [standing(x: 0.55)])),
            ]
        }
        #expect(both(broken) == both(without))
        #expect(both(broken).allSatisfy { !$0.isEmpty })
    }
}
