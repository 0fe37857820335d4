import Foundation

extension LabelledClip {
    /// Writes the clip as a pose stream of one person, so that every tool that reads poses can read it.
    ///
    /// - Throws: `PoseStreamError`.
    public func write(poseStream url: URL) throws {
        let header = PoseStreamHeader(rateHz: rate, width: widthPixels, height: heightPixels, source: name)
        let writer = try PoseStreamWriter(url, header: header)
        do {
            for frame in 0..<frames { try writer.write(trackedFrame(frame)) }
        } catch {
            writer.abandon()
            throw error
        }
        try writer.finish()
    }

    /// Track number of the clip's only person.
    package static let track = 1

    // Frames need the picture's size in pixels; only the ratio matters.
    private var heightPixels: Int { 1000 }
    private var widthPixels: Int { Int((Float(heightPixels) * aspect).rounded()) }

    /// A frame of the clip in the form that the recognition chain uses.
    package func trackedFrame(_ frame: Int) -> TrackedFrame {
        let first = frame * KeypointFrame.count
        let points = (0..<KeypointFrame.joints).map { joint in
            let index = first + 3 * joint
            return Keypoint(x: keypoints[index], y: keypoints[index + 1], confidence: keypoints[index + 2])
        }
        let tracks =
            KeypointFrame.hasPose(keypoints, frame: frame) ? [Track(id: Self.track, pose: Pose(keypoints: points))] : []
        return TrackedFrame(
            index: frame, time: Double(frame) / rate, image: nil, widthPixels: widthPixels, heightPixels: heightPixels,
            tracks: tracks, prominent: tracks.first?.id)
    }
}
