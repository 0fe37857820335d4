import Foundation
import Poses

/// How likely the poses of one repetition are where the left side works, where the right side does, and where both do.
package struct SideEvidence: Sendable, Equatable {
    /// Likelihoods, of which only the ratios matter; more than 0.
    let left, right, both: Double

    /// The extreme of a repetition is looked at for so many seconds before and after it.
    private static let reachSeconds = 0.2
    /// No repetition says more for a side than this: the pose network may have taken the left leg for the right one.
    private static let maximumLogOdds: Float = 3
    /// The log odds of a difference of one body size between the legs, by a logistic regression on synthetic people.
    private static let legSlope: Float = 7
    /// Of the front leg's higher knee, so much of the ankle's height is taken off: a foot that is further away is higher in
    /// the picture, and so is its knee.
    private static let ankleShare: Float = 0.6
    /// The difference of two arms, as a share of the one that moves more, where one works.
    private static let oneArm: Float = 0.9
    /// The standard deviation of that difference.
    private static let armSpread: Float = 0.2
    /// A joint of this confidence says something of the side, as left and right are far apart.
    fileprivate static let minimumConfidence: Float = 0.15
    /// The likelihood that both legs do what only one can do at a time.
    static let never = 1e-6
    /// The likelihood of a difference that no way of working explains.
    private static let strayLikelihood: Float = 0.03

    /// The evidence of one repetition; `nil` where the limbs of either side are not seen.
    init?(_ limb: WorkingLimb, _ span: RepetitionSpan, _ body: BodyMeasures) {
        let reach = max(1, Int((Self.reachSeconds * body.rate).rounded()))
        let near =
            max(span.extreme - reach, span.frames.lowerBound)...min(span.extreme + reach, span.frames.upperBound)
        switch limb {
        case .frontLeg:
            self.init(
                legs: body.difference(in: near) { side, seesAnkles in
                    let ankles = seesAnkles ? Self.ankleShare * body.meanHeight(of: side(.leftAnkle), in: near) : 0
                    return body.meanHeight(of: side(.leftKnee), in: near) - ankles
                })
        case .steppingLeg:
            self.init(
                legs: body.difference(in: span.frames) { side, seesAnkles in
                    let ankles = seesAnkles ? body.meanHeight(of: side(.leftAnkle), in: span.frames) : 0
                    return body.travel(of: side(.leftKnee), in: span.frames) + ankles
                })
        case .liftingArm: self.init(arms: .leftWrist, span, body)
        case .pullingArm: self.init(arms: .leftElbow, span, body)
        }
    }

    /// - Parameter difference: by how much more the left leg works than the right one, in body sizes; `nil` for unseen.
    private init?(legs difference: Float?) {
        guard let difference else { return nil }
        let odds = min(max(Self.legSlope * difference, -Self.maximumLogOdds), Self.maximumLogOdds)
        (left, right, both) = (Double(1 / (1 + exp(-odds))), Double(1 / (1 + exp(odds))), Self.never)
    }

    /// - Parameter joint: the joint of the left arm that travels.
    private init?(arms joint: Joint, _ span: RepetitionSpan, _ body: BodyMeasures) {
        guard body.sees([joint, joint.mirrored], in: span.frames, from: Self.minimumConfidence) else { return nil }
        let travels = [joint, joint.mirrored].map { body.travel(of: $0, in: span.frames) }
        let difference = (travels[0] - travels[1]) / max(travels[0], travels[1], 1e-6)
        func likelihood(_ mean: Float) -> Double {
            let deviation = (difference - mean) / Self.armSpread
            return Double(exp(-deviation * deviation / 2) + Self.strayLikelihood)
        }
        (left, right, both) = (likelihood(Self.oneArm), likelihood(-Self.oneArm), likelihood(0))
    }
}

extension BodyMeasures {
    /// The height of a joint above the hips in a frame, in body sizes.
    fileprivate func height(_ joint: Joint, _ frame: Int) -> Float { (place(joint, frame).y - root(frame).y) / size }

    /// From the lowest to the highest place of a joint against the hips, in body sizes, without outliers.
    fileprivate func travel(of joint: Joint, in span: ClosedRange<Int>) -> Float {
        let heights = span.map { height(joint, $0) }
        return (heights.quantile(0.95) ?? 0) - (heights.quantile(0.05) ?? 0)
    }

    /// The mean height of a joint above the hips, in body sizes.
    fileprivate func meanHeight(of joint: Joint, in span: ClosedRange<Int>) -> Float {
        span.reduce(0) { $0 + height(joint, $1) } / Float(span.count)
    }

    /// A measurement of the left leg less that of the right one; `nil` where a knee is not seen.
    ///
    /// - Parameter measure: takes a function from left joints to its own side, and whether the ankles are known. The pose
    ///   network gives a hidden ankle a low confidence, and a place that is right enough.
    fileprivate func difference(
        in span: ClosedRange<Int>, _ measure: ((Joint) -> Joint, Bool) -> Float
    ) -> Float? {
        guard sees([.leftKnee, .rightKnee], in: span, from: SideEvidence.minimumConfidence) else { return nil }
        let seesAnkles = sees([.leftAnkle, .rightAnkle], in: span, from: .leastNonzeroMagnitude)
        return measure({ $0 }, seesAnkles) - measure({ $0.mirrored }, seesAnkles)
    }
}
