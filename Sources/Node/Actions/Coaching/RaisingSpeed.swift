import Poses

/// How fast the body, or what its hands hold, goes up in a repetition: the mean speed in the middle of the way.
///
/// The beginning and the end of the way are left out: there the motion is slow, and a pause at rest would count.
struct RaisingSpeed {
    /// The way between these shares of the height counts.
    private static let counted = Float(0.15)...0.85
    /// A smaller rise, in body sizes, is none.
    private static let minimumRise: Float = 0.15
    /// The standard error of a duration in frames. Each of its ends is right to one frame; as heights are interpolated, the
    /// error of synthetic motion is 0.3 frames together where frames are stamped late by up to one.
    private static let frameError = 0.4
    /// The standard error of the speed that comes from the joints, as a share, for a rise of one body size.
    private static let jointError = 0.045

    /// In body sizes a second.
    private let speed: Double
    private let seconds: Double
    private let frameSeconds: Double
    /// In body sizes.
    private let rise: Double

    /// - Returns: `nil` where nothing goes up.
    init?(_ span: RepetitionSpan, _ body: BodyMeasures) {
        let around = span.surroundings, heights = body.carrierHeights
        guard !heights.isEmpty, let way = Self.wayUp(heights, span, around) else { return nil }
        let rise = heights[way.upperBound] - heights[way.lowerBound]
        guard rise >= Self.minimumRise * body.size else { return nil }
        let low = heights[way.lowerBound] + Self.counted.lowerBound * rise
        let high = heights[way.lowerBound] + Self.counted.upperBound * rise
        guard let end = way.first(where: { heights[$0] >= high }), end > way.lowerBound,
            let start = (way.lowerBound..<end).last(where: { heights[$0] < low })
        else { return nil }
        seconds =
            Double(Self.crossing(high, before: end, heights) - Self.crossing(low, before: start + 1, heights))
            / body.rate
        guard seconds > 0 else { return nil }
        speed = Double((high - low) / body.size) / seconds
        self.rise = Double(rise / body.size)
        frameSeconds = body.sightingSeconds
    }

    /// The speed with its standard error.
    var reading: RepetitionMeasures.Reading {
        let (time, joints) = (Self.frameError * frameSeconds / seconds, Self.jointError / rise)
        return .init(speed, uncertainty: speed * (time * time + joints * joints).squareRoot())
    }

    /// The frames from the lowest to the highest point: after the extreme where that is low, before it where it is high.
    private static func wayUp(
        _ heights: [Float], _ span: RepetitionSpan, _ around: ClosedRange<Int>
    ) -> ClosedRange<Int>? {
        func lowest(_ range: ClosedRange<Int>) -> Int { range.min { heights[$0] < heights[$1] } ?? range.lowerBound }
        func highest(_ range: ClosedRange<Int>) -> Int { range.max { heights[$0] < heights[$1] } ?? range.upperBound }
        let ends = (heights[span.frames.lowerBound] + heights[span.frames.upperBound]) / 2
        let (low, high): (Int, Int)
        if heights[span.extreme] < ends {
            low = lowest(span.frames)
            high = highest(low...around.upperBound)
        } else {
            high = highest(span.frames)
            low = lowest(around.lowerBound...high)
        }
        return low < high ? low...high : nil
    }

    /// Where the heights reach a level between a frame and the one before it, in frames.
    private static func crossing(_ level: Float, before frame: Int, _ heights: [Float]) -> Float {
        let (from, to) = (heights[frame - 1], heights[frame])
        return Float(frame - 1) + (to > from ? min(max((level - from) / (to - from), 0), 1) : 1)
    }
}

extension BodyMeasures {
    /// A part that moves less, in body sizes, carries nothing.
    private static let minimumTravel: Float = 0.25
    /// The parts that carry the motion, those first whose height is surest: a bar on the shoulders moves with them.
    private static let carriers: [[Joint]] = [
        [.neck], [.rightHip, .leftHip], [.rightWrist, .leftWrist], [.rightAnkle, .leftAnkle],
    ]

    /// The heights of the first part that moves enough, smoothed over three frames.
    func heightsOfCarrier() -> [Float] {
        for joints in Self.carriers {
            let seen = joints.filter { sees([$0], in: 0...max(0, frames - 1)) }
            guard !seen.isEmpty, frames > 2 else { continue }
            let heights = (0..<frames).map { frame in
                seen.reduce(0) { $0 + place($1, frame).y } / Float(seen.count)
            }
            let travel = (heights.quantile(0.95) ?? 0) - (heights.quantile(0.05) ?? 0)
            guard travel >= Self.minimumTravel * size else { continue }
            return heights.indices.map { frame in
                let near = heights[max(0, frame - 1)...min(frames - 1, frame + 1)]
                return near.reduce(0, +) / Float(near.count)
            }
        }
        return []
    }
}
