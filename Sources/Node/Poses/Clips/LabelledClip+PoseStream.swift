import Foundation

extension LabelledClip {
    /// The rate of a clip whose frames are not evenly spaced, as the shipped model wants it.
    private static let usualRate = 30.0
    /// Below this rate frames are too far apart to be one movement.
    private static let minimumRate = 2.0

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
        var sightings: [(time: Double, pose: Pose?)] = []
        while let frame = try reader.next() {
            sightings.append((frame.time, frame.tracks.first { $0.id == frame.prominent }?.pose))
        }
        guard let first = sightings.first?.time, sightings.contains(where: { $0.pose != nil }) else { return nil }
        let aspect = Float(header.width) / Float(header.height), interval = 1 / header.rateHz
        let isEven = sightings.enumerated().allSatisfy { index, sighting in
            abs(sighting.time - first - Double(index) * interval) <= interval / 2
        }
        guard isEven, header.rateHz >= minimumRate else {
            var recorder = ClipRecorder(rate: usualRate)
            for sighting in sightings { recorder.add(sighting.pose, at: sighting.time, aspect: aspect) }
            return recorder.clip()?.with(name: url.lastPathComponent)
        }
        return LabelledClip(
            name: url.lastPathComponent, label: "", group: "", rate: header.rateHz, aspect: aspect,
            keypoints: sightings.flatMap { $0.pose.map(KeypointFrame.values) ?? KeypointFrame.missing })
    }
}
