import Poses

/// The parts of a repetition in time: out, held at the extreme, and back.
struct RepetitionPhases {
    /// The posture counts as held where it is at least this share of the way out.
    private static let heldShare: Float = 0.9
    /// A smaller change of height, in body sizes, is neither lowering nor raising.
    private static let minimumHeight: Float = 0.15
    /// The error of a single point in time, in frames.
    private static let frameError = 2.0

    private let seconds: Double
    private let outSeconds: Double
    private let heldSeconds: Double
    private let backSeconds: Double
    /// Whether the body is lowered on the way out; `nil` if it is neither lowered nor raised.
    private let lowersOutwards: Bool?
    private let error: Double

    init(_ span: RepetitionSpan, _ body: BodyMeasures) {
        let frames = span.frames, extreme = span.extreme
        seconds = span.seconds
        // The limbs' way from the start's posture, relative to the hips.
        func way(_ frame: Int, from first: Int) -> Float {
            Joint.allCases.reduce(0) { sum, joint in
                let place = body.place(joint, frame) - (Self.isOfTrunk(joint) ? .zero : body.root(frame))
                let before = body.place(joint, first) - (Self.isOfTrunk(joint) ? .zero : body.root(first))
                return sum + (place - before).length
            }
        }
        let whole = way(extreme, from: frames.lowerBound)
        var first = extreme, last = extreme
        func isHeld(_ frame: Int) -> Bool { way(frame, from: frames.lowerBound) >= Self.heldShare * whole }
        while first > frames.lowerBound, isHeld(first - 1) { first -= 1 }
        while last < frames.upperBound, isHeld(last + 1) { last += 1 }
        outSeconds = Double(first - frames.lowerBound) / body.rate
        heldSeconds = Double(last - first) / body.rate
        backSeconds = Double(frames.upperBound - last) / body.rate
        error = Self.frameError / body.rate
        func height(_ frame: Int) -> Float { (body.place(.neck, frame).y + body.root(frame).y) / 2 }
        let drop = (height(frames.lowerBound) - height(extreme)) / body.size
        lowersOutwards = abs(drop) < Self.minimumHeight ? nil : drop > 0
    }

    /// Joints whose way through the picture counts; that of the others counts relative to the hips.
    private static func isOfTrunk(_ joint: Joint) -> Bool { joint == .neck || joint == .rightHip || joint == .leftHip }

    /// A measurement of times; `nil` for others, and where it has no meaning.
    func reading(_ measurement: FormMeasurement) -> RepetitionMeasures.Reading? {
        let (down, up) = lowersOutwards == true ? (outSeconds, backSeconds) : (backSeconds, outSeconds)
        switch measurement {
        case .seconds: return .init(seconds, uncertainty: error)
        case .holdSeconds: return .init(heldSeconds, uncertainty: 2 * error)
        case .loweringSeconds: return lowersOutwards.map { _ in .init(down, uncertainty: error) }
        case .raisingSeconds: return lowersOutwards.map { _ in .init(up, uncertainty: error) }
        case .loweringRatio:
            guard lowersOutwards != nil else { return nil }
            let ratio = max(down, 0.05) / max(up, 0.05)
            return .init(ratio, uncertainty: ratio * error * (1 / max(down, 0.05) + 1 / max(up, 0.05)))
        default: return nil
        }
    }
}
