import Foundation

extension LabelledClip {
    /// Reads the prominent person of a pose stream, frame by frame. Frames without that person are zeros.
    ///
    /// - Parameter url: a `.poses.jsonl` file. The result has no label and no group.
    /// - Returns: `nil` when the file shows nobody.
    /// - Throws: `PoseStreamError`.
    public static func read(poseStream url: URL) throws -> LabelledClip? {
        let reader = try PoseStreamReader(url)
        var keypoints: [Float] = []
        var posed = 0
        while let frame = try reader.next() {
            let pose = frame.tracks.first { $0.id == frame.prominent }?.pose
            if pose != nil { posed += 1 }
            keypoints += pose.map(KeypointFrame.values) ?? KeypointFrame.missing
        }
        guard posed > 0 else { return nil }
        let header = reader.header
        return LabelledClip(
            name: url.lastPathComponent, label: "", group: "", rate: header.rateHz,
            aspect: Float(header.width) / Float(header.height), keypoints: keypoints)
    }
}
