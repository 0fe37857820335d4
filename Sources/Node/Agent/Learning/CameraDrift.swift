import Actions
import Foundation
import History
import Messaging
import Poses
import Records

/// Whether a camera was moved, or its lens became dirty, told from the joints of the questions.
///
/// Each question shows one person from one camera. Three things follow from where the camera hangs, whoever stands there:
/// how upright people look, where feet lie in the picture for how large a person looks, and how sure the detector is. Questions
/// before and after a moment are compared by ranks, so that a few odd ones change nothing. A camera that was only turned aside
/// shows the same floor, and is not noticed.
package struct CameraDrift: Sendable, Equatable {
    /// What changed.
    package enum Kind: String, Sendable, CaseIterable {
        /// The camera hangs otherwise.
        case moved = "camera_moved"
        /// Joints are seen less surely.
        case dirty = "lens_dirty"
    }

    /// The camera's id.
    package let camera: String
    /// What changed.
    package let kind: Kind
    /// The beginning of the first question after it, milliseconds since 1970.
    package let sinceMilliseconds: Int64

    /// The problem as the node's health has it.
    package var problem: Problem {
        let words =
            switch kind {
            case .moved:
                "people look otherwise to this camera since then: was it moved? If so, check its zones, and answer what the node asks"
            case .dirty: "joints are seen less surely since then: clean the lens, and look at light and focus"
            }
        return Problem(
            code: kind.rawValue, camera: camera, since: Timestamp.date(milliseconds: sinceMilliseconds), message: words)
    }

    /// What a question tells about the camera.
    package struct Sight: Sendable {
        /// When the question began, milliseconds since 1970.
        package let startMilliseconds: Int64
        /// The mean confidence of the joints that were seen, 0…1.
        package let confidence: Double
        /// How far the trunk leans to the picture's right at the median, radians; `nil` where nobody stands.
        package let tilt: Double?
        /// Where the feet are, and how tall the person looks, picture heights; `nil` where nobody stands.
        package let stand: (foot: Double, height: Double)?

        /// A sight from its parts.
        package init(
            startMilliseconds: Int64, confidence: Double, tilt: Double?, stand: (foot: Double, height: Double)?
        ) {
            self.startMilliseconds = startMilliseconds
            self.confidence = confidence
            self.tilt = tilt
            self.stand = stand
        }
    }

    /// At least so many questions lie before and after a change.
    private static let minimumBefore = 8
    /// See ``minimumBefore``.
    private static let minimumAfter = 5
    /// The probability by which chance may look like a change. Several moments are tried, so it is small.
    private static let maximumChance = 0.002
    /// People who lean less to a side than this are no matter, radians.
    private static let minimumTilt = 0.12
    /// Feet that lie so near to where they lay are no matter, picture heights.
    private static let minimumShift = 0.06
    /// A smaller loss of confidence is no matter.
    private static let minimumLoss = 0.08
    /// So many days the node's health tells of a change. By then somebody has looked, or it is how the camera hangs.
    private static let toldDays = 14

    /// Whether the node's health still tells of it.
    package func isRecent(at now: Date) -> Bool {
        Timestamp.milliseconds(now) - sinceMilliseconds < Int64(Self.toldDays) * 86_400_000
    }

    /// The changes of each camera, as far back as joints are kept.
    ///
    /// - Throws: `HistoryError`.
    package static func found(in query: HistoryQuery) throws -> [CameraDrift] {
        var sights: [String: [Sight]] = [:]
        try query.questionPoses { camera, start, packed in
            if let chunk = PoseChunk(packed: packed) {
                sights[camera, default: []].append(Sight(chunk, startMilliseconds: start))
            }
        }
        return sights.sorted { $0.key < $1.key }.flatMap { camera, sights in
            changes(sights).map { CameraDrift(camera: camera, kind: $0.kind, sinceMilliseconds: $0.since) }
        }
    }

    /// The clearest change of each kind of one camera.
    package static func changes(_ sights: [Sight]) -> [(kind: Kind, since: Int64)] {
        let sights = sights.sorted { $0.startMilliseconds < $1.startMilliseconds }
        let tilts = sights.compactMap { sight in sight.tilt.map { (sight.startMilliseconds, $0) } }
        let stands = sights.compactMap { sight in sight.stand.map { (sight.startMilliseconds, $0) } }
        let line = FloorLine(stands.map(\.1))
        let shifts = stands.map { ($0.0, $0.1.foot - line.foot(of: $0.1.height)) }
        let moved = [change(tilts, minimum: minimumTilt), change(shifts, minimum: minimumShift)].compactMap(\.self)
            .max()
        let dirty = change(
            sights.map { ($0.startMilliseconds, -$0.confidence) }, minimum: minimumLoss, upwardsOnly: true)
        return [moved.map { (.moved, $0) }, dirty.map { (.dirty, $0) }].compactMap(\.self)
    }

    /// When a figure changed for good; `nil` where it did not.
    private static func change(
        _ values: [(at: Int64, value: Double)], minimum: Double, upwardsOnly: Bool = false
    ) -> Int64? {
        guard values.count >= minimumBefore + minimumAfter else { return nil }
        var best: (chance: Double, at: Int64)?
        for cut in minimumBefore...(values.count - minimumAfter) {
            let (before, after) = (values[..<cut].map(\.value), values[cut...].map(\.value))
            let difference = (after.median ?? 0) - (before.median ?? 0)
            guard upwardsOnly ? difference >= minimum : abs(difference) >= minimum else { continue }
            let chance = RankTest.chance(before, after)
            if chance < best?.chance ?? maximumChance { best = (chance, values[cut].at) }
        }
        return best?.at
    }
}

extension CameraDrift.Sight {
    /// Of a person who stands the ankles lie below the knees, and those below the hips, by at least this share of the trunk.
    private static let straight: Float = 0.5

    init(_ chunk: PoseChunk, startMilliseconds: Int64) {
        self.startMilliseconds = startMilliseconds
        let joints = chunk.frames.flatMap(\.pose.keypoints).filter { $0.confidence > 0 }
        confidence = joints.reduce(0) { $0 + Double($1.confidence) } / Double(max(joints.count, 1))
        var tilts: [Double] = [], feet: [Double] = [], heights: [Double] = []
        for frame in chunk.frames {
            func middle(_ joints: [Joint]) -> SIMD2<Float>? { frame.pose.middle(of: joints, aspect: chunk.aspect) }
            guard let shoulders = middle([.leftShoulder, .rightShoulder]), let hips = middle([.leftHip, .rightHip]),
                let knees = middle([.leftKnee, .rightKnee]), let ankles = middle([.leftAnkle, .rightAnkle])
            else { continue }
            let trunk = hips - shoulders
            let length = (trunk * trunk).sum().squareRoot()
            guard length > 0.02, trunk.y > 0.7 * length, knees.y - hips.y > Self.straight * length,
                ankles.y - knees.y > Self.straight * length
            else { continue }
            tilts.append(Double(atan2(-trunk.x, trunk.y)))
            feet.append(Double(ankles.y))
            heights.append(Double(ankles.y - shoulders.y))
        }
        let stands = tilts.count * 5 >= chunk.frames.count
        tilt = stands ? tilts.median : nil
        stand = stands ? feet.median.flatMap { foot in heights.median.map { (foot, $0) } } : nil
    }
}

/// Where feet lie in a picture for how tall a person looks: a straight line, because all stand on one floor.
private struct FloorLine {
    private let slope, start: Double

    /// The line by the median of the slopes between all pairs (H. Theil, P. K. Sen).
    init(_ stands: [(foot: Double, height: Double)]) {
        var slopes: [Double] = []
        for (index, one) in stands.enumerated() {
            for other in stands[(index + 1)...] where abs(one.height - other.height) > 0.02 {
                slopes.append((one.foot - other.foot) / (one.height - other.height))
            }
        }
        let slope = slopes.median ?? 0
        self.slope = slope
        start = stands.map { $0.foot - slope * $0.height }.median ?? 0
    }

    func foot(of height: Double) -> Double { start + slope * height }
}

/// The rank test of H. B. Mann and D. R. Whitney (1947), two-sided, by its normal approximation.
enum RankTest {
    /// The probability that two samples of one population differ as much.
    static func chance(_ first: [Double], _ second: [Double]) -> Double {
        let (m, n) = (Double(first.count), Double(second.count))
        guard m > 0, n > 0 else { return 1 }
        var wins = 0.0
        for value in second {
            for other in first { wins += value > other ? 1 : value == other ? 0.5 : 0 }
        }
        let deviation = (m * n * (m + n + 1) / 12).squareRoot()
        // Half a rank towards the middle makes up for the steps of whole ranks.
        let distance = max(abs(wins - m * n / 2) - 0.5, 0) / deviation
        return erfc(distance / 2.0.squareRoot())
    }
}
