import Foundation
import Records

/// `cam/<camera>/live`: one prediction. The keys are short because there are many of them.
public struct LivePrediction: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// When the window ended.
    public var t: Date
    /// The window's first and last frame, numbered from the camera's first frame.
    public var f: [Int]
    /// The number of frames credited to the label.
    public var n: Int
    /// The label.
    public var a: String
    /// Confidence in the label, 0…1.
    public var c: Double
    /// Share of the frames with a real pose, 0…1.
    public var p: Double
    /// The person's track id.
    public var k: Int?
    /// The joints of the prominent person in the order of a pose stream. Each is x, y (fractions of the picture, from
    /// the top left) and confidence, with three decimals. `nil` unless keypoints are switched on.
    public var keypoints: [[Double]]?

    /// A prediction with all fractions rounded to three decimals.
    public init(
        time: Date, frames: ClosedRange<Int>, credited: Int, label: String, confidence: Float, poseShare: Float,
        track: Int?, keypoints: [[Double]]? = nil
    ) {
        t = time
        f = [frames.lowerBound, frames.upperBound]
        n = credited
        a = label
        c = Double(confidence).rounded(decimals: 3)
        p = Double(poseShare).rounded(decimals: 3)
        k = track
        self.keypoints = keypoints?.map { $0.map { $0.rounded(decimals: 3) } }
    }
}

extension LivePrediction {
    /// The contract's schema of this payload.
    static let schema = Schema.object([
        ("v", .contractVersion), ("t", .required(.moment, "End of the window.")),
        ("f", .required(.list(.count, count: 2), "First and last frame.")),
        ("n", .required(.count, "Frames credited.")), ("a", .required(.words, "Label.")),
        ("c", .required(.share, "Confidence.")), ("p", .required(.share, "Share of frames with a pose.")),
        ("k", .optional(.count, "Person.")),
        (
            "keypoints",
            .optional(.list(.list(.number(), count: 3), count: 18), "Joints of the prominent person: x, y, confidence.")
        ),
    ])
}
