import Foundation

extension LabelledClip {
    /// The rate of a clip whose frames are not evenly spaced, as the shipped model wants it.
    private static let usualRate = 30.0
    /// Below this rate frames are too far apart to be one movement.
    private static let leastRate = 2.0

    /// Reads the prominent person of a pose stream. Frames without that person are zeros.
    ///
    /// Frames that are evenly spaced at the stream's rate are taken as they are. Others are resampled to 30 Hz by their
    /// times; see ``ClipRecorder``.
    ///
    /// - Parameter url: a `.poses.jsonl` file. The result has no label and no group.
    /// - Returns: `nil` when the file shows nobody.
    /// - Throws: `PoseStreamError`.
    public static func read(poseStream url: URL) throws -> LabelledClip? {
        let reader = try PoseStreamReader(url)
        let header = reader.header
        var recorder = ClipRecorder(rate: usualRate)
        var keypoints: [Float] = []
        var (frames, posed, first, isEven) = (0, 0, 0.0, header.rateHz >= leastRate)
        while let frame = try reader.next() {
            let pose = frame.tracks.first { $0.id == frame.prominent }?.pose
            if frames == 0 { first = frame.time }
            if abs(frame.time - first - Double(frames) / header.rateHz) > 0.5 / header.rateHz { isEven = false }
            if pose != nil { posed += 1 }
            frames += 1
            keypoints += pose.map(KeypointFrame.values) ?? KeypointFrame.missing
            recorder.add(pose, at: frame.time, aspect: frame.aspect)
        }
        guard posed > 0 else { return nil }
        guard isEven else { return recorder.clip()?.with(name: url.lastPathComponent) }
        return LabelledClip(
            name: url.lastPathComponent, label: "", group: "", rate: header.rateHz,
            aspect: Float(header.width) / Float(header.height), keypoints: keypoints)
    }
}
