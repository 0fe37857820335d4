import Poses

/// One person's joints over time, for drawing.
package struct Replay: Sendable {
    /// Frames per second.
    package let rate: Double
    /// The size of the picture; only the ratio matters.
    package let width, height: Int
    /// Three whole numbers for each of the 18 joints: x and y 0…1000, confidence 0…100; `nil` without a person.
    package let frames: [[Int16]?]
    /// Where the next part begins, in seconds since the beginning of the first; `nil` at the end.
    package var next: Double?

    /// The first frames of a clip.
    ///
    /// - Parameter maximum: the most frames.
    init(_ clip: LabelledClip, frames maximum: Int) {
        rate = clip.rate
        (width, height) = (Int((1000 * clip.aspect).rounded()), 1000)
        frames = (0..<min(clip.frames, maximum)).map { frame in
            guard KeypointFrame.hasPose(clip.keypoints, frame: frame) else { return nil }
            return (0..<KeypointFrame.count).map { index in
                let value = clip.keypoints[frame * KeypointFrame.count + index]
                guard value.isFinite else { return 0 }
                return Int16((min(max(value, -1), 2) * (index % 3 == 2 ? 100 : 1000)).rounded())
            }
        }
    }

    /// The replay as JSON. It is written without an encoder, which would need a hundred bytes for each of up to a
    /// million numbers.
    package var json: String {
        var text = "{\"frames\":["
        for (index, frame) in frames.enumerated() {
            text += index == 0 ? "" : ","
            guard let frame else {
                text += "null"
                continue
            }
            for (number, value) in frame.enumerated() {
                text += number == 0 ? "[" : ","
                text += String(value)
            }
            text += "]"
        }
        text += "],\"height\":\(height),"
        if let next { text += "\"next\":\(next)," }
        return text + "\"rate\":\(rate),\"width\":\(width)}"
    }
}
