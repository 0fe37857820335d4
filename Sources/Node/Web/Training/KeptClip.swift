import History
import Poses

/// Joins the stored pieces of a session's poses.
enum KeptClip {
    /// Frames per second of clips and replays.
    private static let rate = 30.0
    /// Nothing is interpolated over a longer gap, milliseconds. Its edges are this much away from the frames around it.
    private static let (longestGap, edge): (Int64, Int64) = (1000, 50)

    /// The clip of a span of time, milliseconds since 1970, without label. It begins with the first frame in the span.
    ///
    /// - Returns: `nil` when nothing is kept there, or nothing that can be read.
    /// - Throws: `HistoryError`.
    static func read(
        _ span: ClosedRange<Int64>, ofSession id: String, from query: HistoryQuery
    ) throws -> LabelledClip? {
        var recorder = ClipRecorder(rate: rate)
        var last: Int64?
        try query.keptPoses(ofSession: id, in: span) { piece in
            // A damaged piece is a gap.
            guard let chunk = PoseChunk(packed: piece.data) else { return }
            func add(_ pose: Pose?, at time: Int64) {
                recorder.add(pose, at: Double(time - span.lowerBound) / 1000, aspect: chunk.aspect)
            }
            for frame in chunk.frames {
                let time = piece.startMilliseconds + Int64(frame.milliseconds)
                guard span.contains(time), time > last ?? .min else { continue }
                if let last, time - last > longestGap {
                    add(nil, at: last + edge)
                    add(nil, at: time - edge)
                }
                add(frame.pose, at: time)
                last = time
            }
        }
        return recorder.clip()
    }
}
